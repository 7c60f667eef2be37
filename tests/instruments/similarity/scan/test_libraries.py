"""Directions that an import tells: against the libraries themselves, and against names that say otherwise."""

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from denotary.instruments.similarity.scan import scan
from denotary.instruments.similarity.scan.libraries import (
    DISTANCES,
    GEOMETRIC,
    SIMILARITIES,
    is_geometric,
    scale,
)

if TYPE_CHECKING:
    from collections.abc import Callable

TABLES = [
    (home, name)
    for table in (SIMILARITIES, DISTANCES, GEOMETRIC)
    for home, functions in table.items()
    for name in sorted(functions)
]
MEASURABLE = {"scipy.spatial.distance", "sklearn.metrics.pairwise"}
"""Modules of the tests' own environment whose functions take two rows or two tables."""
ONE_TABLE = {"pdist"}
VECTORS = np.array([[1.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0], [0.0, 1.0, 1.0, 0.0]])


def measured(name: str, one: Any, other: Any) -> float:
    """Return the score of two vectors by a function, whatever shape it comes in."""
    home, _, function = name.rpartition(".")
    call: Callable[..., Any] = getattr(importlib.import_module(home), function)
    if name == "scipy.spatial.distance.mahalanobis":
        return float(call(one[0], other[0], np.eye(4)))
    if function in {"jaccard", "dice", "hamming"}:
        return float(call(one[0].astype(bool), other[0].astype(bool)))
    paired = home.startswith("sklearn") or function == "cdist"
    return float(np.ravel(call(one, other) if paired else call(one[0], other[0]))[0])


@pytest.mark.parametrize(
    "name", [f"{home}.{name}" for home, name in TABLES if home in MEASURABLE and name not in ONE_TABLE]
)
def test_the_direction_of_a_function_is_that_which_it_has(name: str) -> None:
    alike, unlike = (measured(name, VECTORS[:1], VECTORS[place : place + 1]) for place in (1, 2))
    assert alike != unlike
    assert scale(name) == ("similarity" if alike > unlike else "distance")


@pytest.mark.parametrize(
    ("lines", "fires"),
    [
        ("from scipy.spatial.distance import cosine\ncosine(x, y) < 0.2", "alike"),
        ("from scipy.spatial.distance import cosine as similarity\nsimilarity(x, y) < 0.2", "alike"),
        ("from scipy.spatial.distance import cosine\nsim = 1 - cosine(x, y)\nsim < 0.2", "unlike"),
        ("from scipy.spatial.distance import cosine\nsimilarity = cosine(x, y)\nsimilarity < 0.2", "alike"),
        ("from scipy.spatial import distance as d\nscore = -d.cosine(x, y)\nscore < 0.2", "unlike"),
        ("import scipy.spatial\nscipy.spatial.distance.cosine(x, y) < 0.2", "alike"),
        ("import scipy.spatial.distance as sim\nsim.cosine(x, y) < 0.2", "alike"),
        (
            "from sklearn.metrics.pairwise import cosine_similarity as distance\ndistance(x, y) < 0.2",
            "unlike",
        ),
        ("from sklearn.metrics.pairwise import cosine_distances as cs\ncs(x, y).min() < 0.2", "alike"),
        ("import torch.nn.functional as F\nF.cosine_similarity(x, y).mean() < 0.2", "unlike"),
        ("from torch import nn\ncos = nn.CosineSimilarity()\nfound = cos(x, y)\nfound < 0.2", "unlike"),
        ("from sentence_transformers import util as u\nu.cos_sim(x, y)[0] < 0.2", "unlike"),
        ("from sentence_transformers.util import euclidean_sim\neuclidean_sim(x, y) < 0.2", "unlike"),
        ("from rapidfuzz.distance import Levenshtein as L\nL.normalized_distance(x, y) < 0.2", "alike"),
        ("from rapidfuzz.distance import Levenshtein as L\nL.normalized_similarity(x, y) < 0.2", "unlike"),
        ("from keras.losses import cosine_similarity\ncosine_similarity(x, y) < -0.2", "alike"),
        (
            "from scipy.spatial.distance import cosine\n[d for d in map(cosine, x, y) if cosine(d, y) < 0.2]",
            "alike",
        ),
        (
            "from sklearn.metrics.pairwise import cosine_distances as f\nfor sim in f(x, y)[0]:\n    sim < 0.2",
            "alike",
        ),
        ("from .distance import cosine\ncosine(x, y) < 0.2", "unlike"),
    ],
)
def test_an_import_tells_the_direction_before_a_name_does(tmp_path: Path, lines: str, fires: str) -> None:
    (tmp_path / "gates.py").write_text(lines + "\n", encoding="utf-8")
    (site,) = scan(tmp_path).sites
    assert site.fires == fires


@pytest.mark.parametrize(
    ("around", "inside", "found"),
    [
        ("embedding = 1", "pass", 1),
        ("", "vector = 1", 1),
        ("vector = cosine = 1", "pass", 0),
        ("", "pass", 0),
    ],
)
def test_a_distance_of_points_is_one_of_texts_where_the_code_speaks_of_texts(
    tmp_path: Path, around: str, inside: str, found: int
) -> None:
    assert is_geometric("scipy.spatial.distance.euclidean")
    function = f"def apart(x, y):\n    {inside}\n    return far(x, y) < 0.7\n"
    source = f"from scipy.spatial.distance import euclidean as far\n{around}\n{function}"
    (tmp_path / "gates.py").write_text(source, encoding="utf-8")
    assert len(scan(tmp_path).sites) == found


def test_names_that_lead_round_in_a_circle_end(tmp_path: Path) -> None:
    source = "for _ in range(3):\n    one = other * 2\n    other = one * 2\nkept = one * similarity > 0.5\n"
    (tmp_path / "gates.py").write_text(source, encoding="utf-8")
    assert [site.fires for site in scan(tmp_path).sites] == ["alike"]

"""Texts that are near as vectors, with an encoder whose cosines are known."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from denotary.encoders.base import EncoderIdentity
from denotary.errors import InputError
from denotary.suites import load_suite
from denotary.suites.split_embeddings import embedding_groups
from denotary.suites.splitting import split_check


class Angles:
    """The first word of a text is an angle in degrees."""

    identity = EncoderIdentity(name="angles", kind="callable", dimension=2)

    def encode(self, texts: Sequence[str]) -> Any:
        angles = np.radians([float(text.split()[0]) for text in texts])
        return (3.0 * np.column_stack([np.cos(angles), np.sin(angles)])).astype(np.float32)

    def truncated(self, texts: Sequence[str]) -> int:
        del texts
        return 0


def found(texts: list[str], roles: list[int], languages: list[str], cosine: float = 0.95) -> list[Any]:
    groups = embedding_groups([(text,) for text in texts], languages, roles, Angles(), cosine)
    return [(group.by, group.members, group.similarity) for group in groups]


def test_near_texts_of_other_roles_are_a_group() -> None:
    near = math.cos(math.radians(10))
    assert found(["0", "10", "90"], [0, 1, 1], ["en"] * 3) == [("embedding", (0, 1), round(near, 4))]
    assert found(["0", "10"], [0, 0], ["en"] * 2) == []
    assert found(["0", "10"], [0, 1], ["en"] * 2, cosine=near + 1e-3) == []


def test_texts_of_two_languages_are_a_kind_of_their_own() -> None:
    texts, roles = ["0", "10", "5"], [0, 1, 1]
    kinds = {(by, members) for by, members, _ in found(texts, roles, ["en", "en", "hi"])}
    assert kinds == {("embedding", (0, 1)), ("cross_language", (0, 2))}


def test_groups_are_those_of_every_pair() -> None:
    rng = np.random.default_rng(1)
    angles = rng.uniform(0, 360, 300)
    roles = rng.integers(0, 3, 300).tolist()
    groups = found([f"{angle:.4f}" for angle in angles], roles, ["en"] * 300, cosine=0.9999)
    tied = {
        frozenset((i, j))
        for i in range(300)
        for j in range(i)
        if roles[i] != roles[j] and math.cos(math.radians(angles[i] - angles[j])) >= 0.9999
    }
    assert {member for _, members, _ in groups for member in members} == set().union(*tied)
    assert all(any(pair <= set(members) for _, members, _ in groups) for pair in tied)


@pytest.mark.parametrize("cosine", [0.0, 1.1, float("nan")])
def test_a_cosine_lies_in_its_range(cosine: float) -> None:
    with pytest.raises(InputError, match=r"must lie in \(0, 1\]"):
        found(["0"], [0], ["en"], cosine)


def test_a_split_check_names_the_encoder(make_suite: Callable[..., Any], case: Callable[..., Any]) -> None:
    roles = {"calibration": "0 alpha", "sealed-certification": "5 omega"}
    suites = []
    for number, (role, text) in enumerate(roles.items()):
        folder = make_suite([case(f"c{number}", text=text, semantic_seed_id=f"s{number}")], role=role)
        suites.append(load_suite(folder))
    checked = split_check(suites, encoder=Angles())
    assert checked.encoding is not None
    assert (checked.encoding.encoder, checked.encoding.cosine) == ("angles", 0.95)
    assert checked.encoding.identity == Angles.identity.hash
    assert [crossing.by for crossing in checked.crossings if crossing.similarity is not None] == ["embedding"]
    assert split_check(suites).encoding is None

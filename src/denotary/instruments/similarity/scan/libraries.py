"""What functions of known libraries return: a similarity, or a distance. The import says it, whatever a name says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from denotary.instruments.similarity.scan.names import word_set

if TYPE_CHECKING:
    from collections.abc import Mapping

Scale = Literal["similarity", "distance"]
OTHER_WAY: Final[dict[Scale, Scale]] = {"similarity": "distance", "distance": "similarity"}
"""What a score is after it is taken from a number, divides one, or changes its sign."""

_FUZZ: Final = word_set(
    "ratio partial_ratio token_sort_ratio token_set_ratio token_ratio partial_token_sort_ratio "
    "partial_token_set_ratio partial_token_ratio WRatio QRatio UWRatio UQRatio"
)
_EXTRACT: Final = word_set("extractOne extract extract_iter cdist")
_TRANSFORMERS: Final = word_set(
    "cos_sim pytorch_cos_sim dot_score pairwise_cos_sim pairwise_dot_score euclidean_sim manhattan_sim "
    "pairwise_euclidean_sim pairwise_manhattan_sim semantic_search"
)
# Those of euclidean and manhattan are distances with the sign changed, so that more is more alike.
SIMILARITIES: Final[Mapping[str, frozenset[str]]] = {
    "sklearn.metrics.pairwise": word_set("cosine_similarity linear_kernel rbf_kernel laplacian_kernel"),
    "torch.nn.functional": word_set("cosine_similarity"),
    "torch": word_set("cosine_similarity"),
    "torch.nn": word_set("CosineSimilarity"),
    "torchmetrics.functional": word_set("pairwise_cosine_similarity"),
    "sentence_transformers.util": _TRANSFORMERS,
    "sentence_transformers.util.similarity": _TRANSFORMERS,
    "rapidfuzz.fuzz": _FUZZ,
    "rapidfuzz.process": _EXTRACT,
    "thefuzz.fuzz": _FUZZ,
    "thefuzz.process": _EXTRACT,
    "fuzzywuzzy.fuzz": _FUZZ,
    "fuzzywuzzy.process": _EXTRACT,
    "difflib.SequenceMatcher": word_set("ratio quick_ratio real_quick_ratio"),
    "Levenshtein": word_set("ratio seqratio setratio jaro jaro_winkler"),
    "jellyfish": word_set("jaro_similarity jaro_winkler_similarity jaro_distance jaro_winkler"),
}
"""Functions by module. ``jaro_distance`` of older versions of jellyfish returned the similarity."""
DISTANCES: Final[Mapping[str, frozenset[str]]] = {
    "scipy.spatial.distance": word_set("cosine correlation jaccard hamming dice jensenshannon"),
    "sklearn.metrics.pairwise": word_set("cosine_distances paired_cosine_distances"),
    "keras.losses": word_set("cosine_similarity"),
    "tensorflow.keras.losses": word_set("cosine_similarity"),
    "Levenshtein": word_set("distance hamming"),
    "jellyfish": word_set("levenshtein_distance damerau_levenshtein_distance hamming_distance"),
    "nltk": word_set("edit_distance jaccard_distance"),
    "nltk.metrics": word_set("edit_distance jaccard_distance"),
    "nltk.metrics.distance": word_set("edit_distance jaccard_distance"),
    "editdistance": word_set("eval distance"),
    "polyleven": word_set("levenshtein"),
}
"""The loss of Keras is the cosine with its sign changed, so that less is more alike."""
GEOMETRIC: Final[Mapping[str, frozenset[str]]] = {
    "scipy.spatial.distance": word_set(
        "euclidean sqeuclidean cityblock minkowski chebyshev canberra braycurtis mahalanobis cdist pdist"
    ),
    "sklearn.metrics.pairwise": word_set(
        "euclidean_distances manhattan_distances paired_distances paired_euclidean_distances pairwise_distances"
    ),
    "sklearn.metrics": word_set("pairwise_distances euclidean_distances"),
    "torch.nn.functional": word_set("pairwise_distance pdist"),
    "torch.nn": word_set("PairwiseDistance"),
    "torch": word_set("cdist dist"),
}
"""Distances of points of any kind: those of texts only where the code around them speaks of texts."""
BY_METHOD: Final = ("rapidfuzz.distance.", "textdistance.")
"""Modules whose classes have the same methods for either."""
_METHODS: Final[Mapping[str, Scale]] = {
    "similarity": "similarity",
    "normalized_similarity": "similarity",
    "distance": "distance",
    "normalized_distance": "distance",
}


def scale(name: str) -> Scale | None:
    """Return what a function returns, by its name with all that it was imported from; None if it is not known."""
    home, _, function = name.rpartition(".")
    if name.startswith(BY_METHOD):
        return _METHODS.get(function)
    if function in DISTANCES.get(home, ()) or is_geometric(name):
        return "distance"
    return "similarity" if function in SIMILARITIES.get(home, ()) else None


def is_geometric(name: str) -> bool:
    """Whether a function returns a distance between points of any kind."""
    home, _, function = name.rpartition(".")
    return function in GEOMETRIC.get(home, ())

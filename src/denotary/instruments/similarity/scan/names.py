"""Which identifiers speak of similarity between texts, of a cutoff, or of something else that looks like it."""

from __future__ import annotations

import re
from functools import lru_cache

SIMILARITY = {
    "similarity",
    "similarities",
    "cosine",
    "cossim",
    "jaccard",
    "resemblance",
    "simscore",
    "bertscore",
}
"""Words that say so alone."""
SHORT = {"sim", "sims"}
"""Words that say so beside another, since a simulation is called so too."""
BESIDE_SHORT = {
    "score",
    "scores",
    "cos",
    "max",
    "min",
    "mean",
    "avg",
    "best",
    "top",
    "text",
    "semantic",
    "matrix",
    "embedding",
}
LEXICAL = {
    "ratio",
    "partial_ratio",
    "token_sort_ratio",
    "token_set_ratio",
    "quick_ratio",
    "WRatio",
    "jaro_winkler",
    "jaro_winkler_similarity",
    "levenshtein_ratio",
    "QRatio",
    "partial_token_set_ratio",
}
"""Functions of string-matching libraries that return a share or a percentage of likeness."""
LEXICAL_HOMES = {
    "fuzz",
    "rapidfuzz",
    "thefuzz",
    "fuzzywuzzy",
    "difflib",
    "sequencematcher",
    "jellyfish",
    "levenshtein",
    "matcher",
    "sm",
    "seqmatcher",
}
DISTANCE = {"distance", "distances", "dist", "dists", "dissimilarity", "drift"}
VECTOR = {
    "cosine",
    "embedding",
    "embeddings",
    "emb",
    "embs",
    "vector",
    "vectors",
    "vec",
    "semantic",
    "query",
    "nearest",
    "wmd",
}
"""Words that make a distance one between texts."""
CUTOFF = {
    "threshold",
    "thresholds",
    "thresh",
    "thres",
    "thr",
    "cutoff",
    "cutoffs",
    "tau",
    "tolerance",
    "floor",
    "cut",
}
BOUND = {"min", "max", "minimum", "maximum", "required", "target", "limit"}
"""Words that make a cutoff of the word after them: ``min_similarity``."""
OTHER = {
    "count",
    "counts",
    "num",
    "number",
    "id",
    "ids",
    "idx",
    "index",
    "fn",
    "func",
    "function",
    "metric",
    "type",
    "mode",
    "name",
    "key",
    "kwargs",
    "config",
    "weight",
    "weights",
    "len",
    "length",
    "size",
    "time",
    "ms",
    "latency",
    "dim",
    "k",
    "model",
    "rank",
    "ranks",
    "search",
    "learning",
    "decay",
    "schedule",
    "annealing",
    "loss",
    "lr",
}
"""Last words of names that hold something else about a similarity."""
RECORDS = {
    "best",
    "highest",
    "lowest",
    "prev",
    "previous",
    "last",
    "old",
    "new",
    "other",
    "current",
    "second",
    "running",
}
"""A comparison with one of these looks for a maximum and has no cutoff."""


@lru_cache(maxsize=65536)
def words(name: str) -> tuple[str, ...]:
    """Return the words of an identifier, lower-cased: ``maxCosSim`` and ``max_cos_sim`` are max, cos, sim."""
    return tuple(
        re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower())
    )


@lru_cache(maxsize=65536)
def is_cutoff(name: str) -> bool:
    """Whether a name holds a cutoff: ``similarity_threshold``, ``MIN_SIMILARITY``, ``max_cosine_distance``."""
    found = words(name)
    if not found or found[-1] in OTHER:
        return False
    if CUTOFF & set(found):
        return True
    # ``min_similarity`` is a cutoff by its name; ``max_sim`` is as often the largest of several scores, so it is
    # one in capitals alone.
    rest = found[1:]
    named = found[0] in BOUND and bool(set(rest) & (SIMILARITY | SHORT | DISTANCE))
    return named and (
        name.isupper() or (found[0] != "max" and not set(rest) & SHORT) or bool(set(rest) & DISTANCE)
    )


@lru_cache(maxsize=65536)
def says_similarity(name: str) -> bool:
    """Whether any word of a name speaks of similarity, or of a distance between vectors."""
    found = set(words(name))
    if found & SIMILARITY or (found & SHORT and found & BESIDE_SHORT):
        return True
    return bool(found & DISTANCE and found & VECTOR)


@lru_cache(maxsize=65536)
def is_score(name: str) -> bool:
    """Whether a name by itself holds a similarity or such a distance."""
    found = words(name)
    return bool(found) and says_similarity(name) and found[-1] not in OTHER and not CUTOFF & set(found)


def is_distance(name: str) -> bool:
    """Whether a score of this name is less the more alike two texts are."""
    found = set(words(name))
    return bool(found & DISTANCE) and not found & {"similarity", "similarities"}


def is_record(name: str) -> bool:
    """Whether a name holds the best score so far, or another score, and no cutoff."""
    found = set(words(name))
    return bool(found & RECORDS) and not found & CUTOFF

"""Which identifiers speak of similarity between texts, of a cutoff, or of something else that looks like it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


SIMILARITY: Final = word_set(
    "similarity similarities cosine cossim jaccard resemblance simscore bertscore rouge bleu"
)
"""Words that say so alone."""
SHORT: Final = word_set("sim sims")
"""Words that say so beside another, since a simulation is called so too."""
BESIDE_SHORT: Final = word_set(
    "score scores cos max min mean avg best top text semantic matrix embedding name title pair"
)
LEXICAL: Final = word_set(
    "ratio partial_ratio token_sort_ratio token_set_ratio quick_ratio WRatio jaro_winkler jaro_winkler_similarity "
    "levenshtein_ratio QRatio partial_token_set_ratio extractOne compareTwoStrings"
)
"""Functions of string-matching libraries that return a share or a percentage of likeness."""
LEXICAL_HOMES: Final = word_set(
    "fuzz rapidfuzz thefuzz fuzzywuzzy difflib sequencematcher jellyfish levenshtein matcher sm seqmatcher"
)
DISTANCE: Final = word_set(
    "distance distances dist dists dissimilarity drift hamming euclidean cdist pdist simhash"
)
VECTOR: Final = word_set(
    "cosine embedding embeddings emb embs vector vectors vec semantic query nearest wmd levenshtein edit"
)
"""Words that make a distance one between texts."""
WEAK: Final = word_set("score scores relevance certainty rating") | SHORT | DISTANCE
"""Last words of names that hold a similarity where the code around them speaks of it."""
FOREIGN: Final = word_set(
    "km kilometers kilometres miles meters metres city geo haversine credit strength drag collision pixel pixels loss "
    "risk health game player iou box boxes confidence probability prob sentiment z f1 accuracy error fitness quality"
)
"""Words that say what else a score or a distance is of."""
TEXTS: Final = word_set(
    "embed embeds embedding embeddings encoder semantic fuzz rapidfuzz levenshtein jaro winkler dedup duplicate "
    "duplicates rerank reranker relevance utterance utterances simhash minhash shingle bert"
)
"""Words that speak of comparing texts wherever they stand in a file."""
CONTEXT: Final = SIMILARITY | TEXTS | SHORT | word_set("cos vector vectors")
"""Words of the code around a weak name that make it a similarity."""
CUTOFF: Final = word_set("threshold thresholds thresh thres thr cutoff cutoffs tau tolerance floor cut")
BOUND: Final = word_set("min max minimum maximum required target limit")
"""Words that make a cutoff of the word after them: ``min_similarity``."""
OTHER: Final = word_set(
    "count counts num number id ids idx index fn func function metric type mode name key kwargs config weight weights "
    "len length size time ms latency dim k model ranks search learning decay schedule annealing loss lr"
)
"""Last words of names that hold something else about a similarity."""
RECORDS: Final = word_set("best highest lowest prev previous last old new other current second running top")
"""A comparison with one of these looks for a maximum and has no cutoff."""


@lru_cache(maxsize=65536)
def words(name: str) -> tuple[str, ...]:
    """Return the words of an identifier, lower-cased: ``maxCosSim`` and ``max_cos_sim`` are max, cos, sim."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return tuple(re.findall(r"[a-z]+", split))


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
    rest = set(found[1:])
    if found[0] not in BOUND or not rest & (SIMILARITY | SHORT | DISTANCE):
        return False
    return name.isupper() or (found[0] != "max" and not rest & SHORT) or bool(rest & DISTANCE)


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


@lru_cache(maxsize=65536)
def is_weak(name: str) -> bool:
    """Whether a name holds a similarity if the code around it speaks of it: ``score``, ``hit.distance``."""
    found = words(name)
    # ``rank`` alone: with another word it bounds the ranks.
    return bool(found) and (found[-1] in WEAK or found == ("rank",)) and not set(found) & (FOREIGN | CUTOFF)


def is_said(name: str) -> bool:
    """Whether a cutoff says what it is of: ``score_threshold``, ``distance_threshold``."""
    return not (WEAK | SIMILARITY).isdisjoint(words(name))


def is_foreign(name: str) -> bool:
    """Whether a name says that it holds something else, whatever it was made from."""
    found = words(name)
    return bool(set(found) & FOREIGN) or (bool(found) and found[-1] in OTHER)


def speak(identifiers: Iterable[str], of: frozenset[str]) -> bool:
    """Whether any identifier has one of some words, such as `CONTEXT` or `TEXTS`."""
    return any(not of.isdisjoint(words(name)) for name in identifiers)


def is_distance(name: str) -> bool:
    """Whether a score of this name is less the more alike two texts are."""
    found = set(words(name))
    return bool(found & DISTANCE) and not found & {"similarity", "similarities"}


def is_record(name: str) -> bool:
    """Whether a name holds the best score so far, or another score, and no cutoff."""
    found = set(words(name))
    return bool(found & RECORDS) and not found & CUTOFF

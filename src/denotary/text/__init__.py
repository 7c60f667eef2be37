"""Unicode: the identity profile ``esid-nfc/1``, evidence folds, scripts, language tags, visible text.

Identity: :func:`normalise` (also :data:`PROFILE`, :data:`UNICODE_VERSION`, :data:`VECTORS`).
Evidence: :func:`coarse`, :func:`wording`, :func:`transforms`, :func:`folds_for`.
Languages: :func:`canonical_tag`, :func:`primary_subtag`, :func:`broader_tags`.
Clusters: :func:`clusters`, :func:`boundaries` (also :data:`RULES`).
Writing: :func:`scripts`, :func:`script_of`, :func:`holds_script`, :func:`mixed_words`,
:func:`stray_ignorables`.
Reports: :func:`visible`.
"""

from denotary.text.evidence import coarse, transforms, wording
from denotary.text.folds import FOLDS, Fold, folds_for
from denotary.text.graphemes import RULES, boundaries, clusters
from denotary.text.languages import broader_tags, canonical_tag, primary_subtag
from denotary.text.profile import (
    MAX_BYTES,
    MAX_CODE_POINTS,
    PROFILE,
    UNICODE_VERSION,
    VECTORS,
    Normalised,
    Rejection,
    normalise,
)
from denotary.text.scripts import holds_script, mixed_words, script_of, scripts, stray_ignorables
from denotary.text.visible import visible

__all__ = [
    "FOLDS",
    "MAX_BYTES",
    "MAX_CODE_POINTS",
    "PROFILE",
    "RULES",
    "UNICODE_VERSION",
    "VECTORS",
    "Fold",
    "Normalised",
    "Rejection",
    "boundaries",
    "broader_tags",
    "canonical_tag",
    "clusters",
    "coarse",
    "folds_for",
    "holds_script",
    "mixed_words",
    "normalise",
    "primary_subtag",
    "script_of",
    "scripts",
    "stray_ignorables",
    "transforms",
    "visible",
    "wording",
]

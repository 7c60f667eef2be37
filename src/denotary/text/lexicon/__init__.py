"""How two English words relate in sense: same, opposite, near, above, beside, or not known.

:func:`relation` reads WordNet 3.0 (Princeton; a table of about 20,000 words ships with its licence) and the project's
own list of opposites. What is ``unknown`` is no sign that two words are unrelated.
:func:`lexicon_hash` names the tables.
"""

from denotary.text.lexicon.relations import RELATIONS, is_prefixed, relation
from denotary.text.lexicon.table import lexicon_hash

__all__ = ["RELATIONS", "is_prefixed", "lexicon_hash", "relation"]

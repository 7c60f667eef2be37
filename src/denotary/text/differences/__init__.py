"""Typed differences of two texts: signs, found by word lists alone, that texts worded alike may mean different things.

:func:`differences` returns them as :class:`Difference`, of the kinds in :data:`KINDS`, all looked for in
English, and those in :data:`UNIVERSAL` in every language. :func:`data_hash` names the word lists, which
no native reviewer has seen. What is not found is no sign of sameness.
"""

from denotary.text.differences.comparing import differences
from denotary.text.differences.lists import data_hash
from denotary.text.differences.records import KINDS, UNIVERSAL, Difference

__all__ = ["KINDS", "UNIVERSAL", "Difference", "data_hash", "differences"]

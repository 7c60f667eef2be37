"""Closed-class words of English: those that bind what a text is about, as against those that name it.

Classes as in Quirk et al., A Comprehensive Grammar of the English Language (1985), section 2.39: prepositions,
pronouns, determiners, conjunctions, auxiliary verbs and numerals, with adverbs of negation, degree, place and time.
Written from general knowledge of English, with no corpus in view; unreviewed.
"""

from __future__ import annotations

from typing import Final

_WORDS: Final = """
    a an the this that these those such what which whose each every either neither some any no none all both
    half many much more most few fewer fewest little less least several enough another other others same own i
    me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her
    hers herself it its itself they them their theirs themselves one ones oneself who whom whoever whichever
    whatever anyone anybody anything someone somebody something everyone everybody everything nobody nothing
    about above across after against along amid among around as at before behind below beneath beside besides
    between beyond by concerning despite down during except excluding following for from in including inside
    into like near of off on onto out outside over past per regarding since than through throughout till to
    toward towards under underneath unlike until up upon via with within without and but or nor so yet if unless
    although though because while whereas whether when whenever where wherever once lest provided be am is are
    was were been being do does did done doing have has had having will would shall should can could may might
    must ought need cannot s t d ll m re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn
    shouldn couldn mustn needn zero two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
    thousand million first second third next last not never ever only just even also too very quite rather
    almost nearly always often sometimes seldom rarely usually perhaps maybe already still again now then later
    earlier soon afterwards beforehand here there everywhere anywhere somewhere nowhere how why however
    therefore thus hence instead otherwise else together apart
"""
CLOSED_CLASS: Final = frozenset(_WORDS.split())
"""Lower-cased, without apostrophes: of *don't* both runs of letters."""

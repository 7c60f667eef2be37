"""The similarity instrument: does a gate that compares two texts by a score read their meaning or their wording?

``corpus`` loads matched anchors and users' own pairs, ``overlap`` is the lexical axis, ``manipulation`` is the
check that a corpus must pass before any score of it is looked at. ``scan`` finds gates in source code.
"""

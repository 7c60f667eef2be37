"""Instruments: what is particular to each kind of question. One folder an instrument, the same files in each.

``denotary.suites.instrument.instrument(name)`` finds an instrument by name, wherever it is installed from.
Nothing below this room knows an instrument by name.
"""

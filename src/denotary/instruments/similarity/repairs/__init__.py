"""Repairs of a similarity gate: fitted on pairs of one author, frozen, and judged on those of another.

``base`` has the protocol, ``fitting`` makes and loads repairs by name, ``judges`` asks others about a pair, ``plans``
holds bars and predictions that were written before the run, ``judging`` makes the report that shows them all.
"""

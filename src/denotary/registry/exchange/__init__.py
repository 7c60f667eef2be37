"""Registries and other people's formats: CSV, JSON Lines, SKOS, OBO and SSSOM.

``read_csv``, ``read_jsonl`` (in ``tables``), ``read_skos``, ``read_obo`` and ``read_sssom`` give a
:class:`~denotary.registry.exchange.gathering.Gathered`: records, all unreviewed, and counts of what was taken and
skipped; ``import_into`` writes it into a draft. ``write_skos`` and ``write_sssom`` export a registry and count what
the format cannot carry. ``new_registry`` (in ``writing``) begins an empty draft.
"""

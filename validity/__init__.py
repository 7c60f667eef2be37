"""Is the instrument valid? Simulations with the code that certifies, and the page that shows their results.

``python -m validity`` runs all parts at full size, writes ``results/*.json`` and renders
``docs/explanation/validity.md``; ``--quick`` runs them small, writes nothing into the tree and only checks.
Parts: ``coverage``, ``separations``, ``sequences`` (intervals), ``promotion`` (every shipped policy, one gate at
its limit), ``thresholds`` (chosen on calibration data), ``certified`` (those of the semantic lane), ``planted``
(broken bounds must be caught), ``tolerance`` (gates that tolerate nothing), ``power``.
Worlds are built in ``outcomes``, ``world`` and ``tally``; ``release`` turns them into rows and measurements
with the functions of ``denotary.measures``, and ``judging`` has them judged by ``denotary.verdicts``.
"""

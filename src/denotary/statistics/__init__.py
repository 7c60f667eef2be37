"""Arrays in, numbers out: every interval, test, curve and sample size that a claim rests on.

* ``binomial``, ``betting``: bounds that may gate; ``planning``: how many units they need.
* ``bootstrap``, ``paired``: description of ratios, panels and comparisons; ``sequential``: monitoring.
* ``selective``: risk-coverage and certified thresholds; ``calibration``, ``calibration_fit``: confidences.
* ``ranking``, ``auroc``, ``agreement``: candidates, separation, annotators; ``checks``: strict arguments.

Import the module you need (``from denotary.statistics import binomial``); nothing is imported here, so the
package costs nothing until a number is asked for.
"""

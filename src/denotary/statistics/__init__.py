"""Arrays in, numbers out: every interval, test, curve and sample size that a claim rests on.

* Gates: ``binomial``, ``betting``; their plans: ``planning``; certified thresholds: ``threshold``
  (``risk_path`` follows a harm rate along falling thresholds; ``strata`` tests a risk at a declared share of
  unknown inputs); monitoring: ``sequential``.
* Description: ``bootstrap``, ``paired``, ``selective``, ``calibration``, ``calibration_smooth``, ``ranking``,
  ``relevance``, ``auroc``, ``agreement``, ``dawid_skene``. Maps of confidences: ``calibration_fit``.
* ``checks`` reads arguments strictly: NaN, negative counts and object arrays raise ``InputError``.

Import the module you need (``from denotary.statistics import binomial``); nothing is imported here, so the
package costs nothing until a number is asked for.
"""

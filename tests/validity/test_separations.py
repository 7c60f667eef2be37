"""Misses of the ends of an AUROC's interval: the true AUROC of what is drawn, and a criterion that can fail."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from validity.separations import Design

from validity import separations


@pytest.mark.parametrize("shape", ["normal", "exponential"])
@pytest.mark.parametrize("matched", [True, False])
def test_scores_between_anchors_have_the_auroc_that_they_say(shape: separations.Shape, matched: bool) -> None:
    design = Design(4000, 4000, matched=matched, shape=shape, auroc=0.8)
    scores, positive, stratum, _ = design.draw(np.random.default_rng(1))
    for at in set(stratum.tolist()):
        here = stratum == at
        assert roc_auc_score(positive[here], scores[here]) == pytest.approx(0.8, abs=0.02)


def test_an_interval_that_misses_falls_short_from_15_anchors_on(monkeypatch: pytest.MonkeyPatch) -> None:
    design = Design(15, 20, matched=False, shape="normal", auroc=0.7)
    assert separations.run(design, 40).holds
    for low, high in ((0.8, 0.9), (0.5, 0.6)):
        monkeypatch.setattr(
            separations,
            "separation",
            lambda *_, ends=(low, high), **__: SimpleNamespace(low=ends[0], high=ends[1]),
        )
        assert separations.run(design, 40).holds is False
        assert separations.run(replace(design, positives=14), 40).holds is None

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene

from denotary.errors import InputError
from denotary.statistics import dawid_skene


def votes(seed: int, items: int = 120, workers: int = 9, classes: int = 3) -> tuple[np.ndarray, ...]:
    """Five votes an item; one worker answers at random and one swaps two classes."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, size=items)
    item, worker, label = [], [], []
    for i in range(items):
        for w in rng.permutation(workers)[:5]:
            given = truth[i] if rng.random() < 0.8 else rng.integers(0, classes)
            if w == 0:
                given = rng.integers(0, classes)
            if w == 1:
                given = [1, 0, 2][truth[i]]
            item.append(i)
            worker.append(w)
            label.append(given)
    return truth, np.array(item), np.array(worker), np.array(label)


def by_loops(item: np.ndarray, worker: np.ndarray, label: np.ndarray, steps: int) -> np.ndarray:
    """The two steps written out vote by vote."""
    n, w, k = item.max() + 1, worker.max() + 1, label.max() + 1
    posterior = np.zeros((n, k))
    for i, v in zip(item, label, strict=True):
        posterior[i, v] += 1
    posterior /= posterior.sum(axis=1, keepdims=True)
    for _ in range(steps):
        confusion = np.zeros((w, k, k))
        for i, j, v in zip(item, worker, label, strict=True):
            confusion[j, :, v] += posterior[i]
        confusion = np.maximum(confusion, 1e-10)
        confusion /= confusion.sum(axis=2, keepdims=True)
        joint = np.tile(posterior.mean(axis=0), (n, 1))
        for i, j, v in zip(item, worker, label, strict=True):
            joint[i] *= confusion[j, :, v]
        posterior = joint / joint.sum(axis=1, keepdims=True)
    return posterior


@pytest.mark.parametrize("steps", [1, 2, 10])
def test_steps_are_those_of_the_definition(steps: int) -> None:
    _, item, worker, label = votes(0)
    got = dawid_skene.fit(item, worker, label, steps=steps, tolerance=0.0)
    assert got.posterior == pytest.approx(by_loops(item, worker, label, steps), abs=1e-6)
    assert (got.steps, got.converged) == (steps, False)


@pytest.mark.filterwarnings("ignore:The (inplace|copy) keyword")  # of pandas, which crowd-kit passes
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("steps", [1, 10, 40])
def test_agrees_with_crowd_kit(seed: int, steps: int) -> None:
    """It stops at a change of its loss, here never; its posterior is that before our last step's confusions."""
    _, item, worker, label = votes(seed)
    frame = pd.DataFrame({"task": item, "worker": worker, "label": label})
    theirs = DawidSkene(n_iter=steps, tol=-np.inf).fit(frame)
    ours = dawid_skene.fit(item, worker, label, steps=steps, tolerance=0.0)
    assert theirs.probas_ is not None
    assert theirs.errors_ is not None
    assert theirs.priors_ is not None
    assert ours.posterior == pytest.approx(theirs.probas_.loc[range(120), range(3)].to_numpy(), abs=1e-6)
    errors = theirs.errors_.reindex(pd.MultiIndex.from_product([range(9), range(3)]), fill_value=0.0)
    confusion = errors[list(range(3))].to_numpy().reshape(9, 3, 3).transpose(0, 2, 1)
    assert ours.confusion == pytest.approx(confusion, abs=1e-5)
    assert ours.prior == pytest.approx(theirs.priors_.loc[range(3)].to_numpy(), abs=1e-6)


def test_beats_the_majority_where_workers_are_bad() -> None:
    truth, item, worker, label = votes(1, items=400)
    counts = np.zeros((400, 3))
    np.add.at(counts, (item, label), 1)
    fitted = dawid_skene.fit(item, worker, label)
    assert fitted.converged
    assert (fitted.posterior.argmax(axis=1) == truth).mean() >= (counts.argmax(axis=1) == truth).mean()
    assert fitted.confusion[1, 0, 1] > 0.9  # the swapping worker is found out
    assert fitted.prior.sum() == pytest.approx(1.0)
    assert fitted.confusion.sum(axis=2) == pytest.approx(1.0)


def test_likelihood_never_falls() -> None:
    _, item, worker, label = votes(2)
    likelihoods = []
    for steps in range(1, 12):
        fitted = dawid_skene.fit(item, worker, label, steps=steps, tolerance=0.0)
        joint = np.tile(np.log(fitted.prior), (120, 1))
        np.add.at(joint, item, np.log(fitted.confusion[worker, :, label]))
        likelihoods.append(np.logaddexp.reduce(joint, axis=1).sum())
    assert (np.diff(likelihoods) >= -1e-8).all()


def test_unused_class_keeps_no_share() -> None:
    fitted = dawid_skene.fit([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], classes=3)
    assert fitted.posterior == pytest.approx(np.eye(2, 3), abs=1e-15)
    assert fitted.prior[2] == 0.0


@pytest.mark.parametrize(
    ("item", "worker", "label", "word"),
    [
        ([], [], [], "there are none"),
        ([0, 2], [0, 0], [0, 0], "item 1 has none"),
        ([0], [0, 1], [0], "differ in length"),
        ([0], [-1], [0], "worker"),
    ],
)
def test_bad_arguments(item: list[int], worker: list[int], label: list[int], word: str) -> None:
    with pytest.raises(InputError, match=word):
        dawid_skene.fit(item, worker, label)


def test_at_least_one_step() -> None:
    with pytest.raises(InputError, match="steps is 0"):
        dawid_skene.fit([0], [0], [0], steps=0)

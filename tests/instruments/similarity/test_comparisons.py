"""Partners are independent, and the mean of what they win is the AUROC."""

from collections import Counter
from itertools import permutations

import numpy as np

from denotary.instruments.similarity.comparisons import matched

CELLS = [("close", True), ("close", False), ("distant", True), ("distant", False)]


def design(anchors: list[str]) -> tuple[list[str], list[str], list[bool]]:
    rows = [(name, *cell) for name in anchors for cell in CELLS]
    return [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows]


def test_each_anchor_has_one_partner_and_meets_it_in_every_cell() -> None:
    names, poles, same = design([f"a{i}" for i in range(9)])
    found = matched(names, ["t"] * len(names), poles, same)
    assert Counter(found.unit.tolist()) == dict.fromkeys(range(4), 4)
    used: Counter[str] = Counter()
    for unit in range(4):
        mine = found.unit == unit
        pair = {names[row] for row in (*found.same[mine], *found.opposite[mine])}
        assert len(pair) == 2
        used.update(pair)
    assert set(used.values()) == {1}
    for a, b in zip(found.same.tolist(), found.opposite.tolist(), strict=True):
        assert same[a]
        assert not same[b]
        assert poles[a] == poles[b]
        assert names[a] != names[b]


def test_groups_do_not_meet_and_rows_without_one_are_left_out() -> None:
    names, poles, same = design([f"a{i}" for i in range(8)])
    groups = [None if name == "a7" else int(name[1:]) % 2 for name in names]
    found = matched(names, groups, poles, same)
    for a, b in zip(found.same.tolist(), found.opposite.tolist(), strict=True):
        assert groups[a] == groups[b] is not None


def test_anchors_of_one_pair_each_find_a_partner_of_the_other_kind() -> None:
    names = [f"line-{i}" for i in range(12)]
    same = [i % 3 == 0 for i in range(12)]
    found = matched(names, ["t"] * 12, ["close"] * 12, same)
    assert len(found.unit) == 4
    assert len(set(found.same.tolist())) == 4


def test_nothing_to_compare_is_no_comparison() -> None:
    found = matched(["a", "b"], ["t", "t"], ["close", "distant"], [True, False])
    assert found.unit.shape == found.same.shape == (0,)


def test_the_mean_over_all_ways_to_be_named_is_the_auroc_between_anchors() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(4, 4)) + np.array([0.4, 0.0, 0.4, 0.0])
    shares = []
    for order in permutations(range(4)):
        names, poles, same = design([f"n{order[i]}" for i in range(4)])
        found = matched(names, ["t"] * 16, poles, same)
        flat = scores.ravel()
        shares.append(float((flat[found.same] > flat[found.opposite]).mean()))
    exact = np.mean(
        [scores[i, at] > scores[j, at + 1] for i in range(4) for j in range(4) if i != j for at in (0, 2)]
    )
    assert np.isclose(np.mean(shares), exact, atol=1e-12)

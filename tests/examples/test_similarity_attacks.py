"""The attacks on our own claims: rules that nobody changed, and what is computed beside plain ways to do it."""

import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from denotary.instruments.similarity.corpus import load_corpus
from denotary.instruments.similarity.operating import balanced_accuracy

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "examples" / "case_studies"))

import similarity_attack_gates as gates  # noqa: E402 - scripts beside each other, which are no package
import similarity_attack_page as page  # noqa: E402
import similarity_attack_records as records  # noqa: E402
import similarity_attack_scores as made  # noqa: E402


def test_the_rules_are_those_that_were_committed_before_and_the_page_names_them() -> None:
    rules, digest = records.rules()
    assert digest == "b5565e35d4be353cb0947bd4888b853b621a23112ecc2405dcff6f9544040639"
    written = (ROOT / "docs" / "case-studies" / "attacks.md").read_text(encoding="utf-8")
    assert digest in written
    assert all(claim.text in written for claim in rules.claim)
    assert all(f"* {line}" in written for line in rules.unattacked)


def test_changed_rules_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("rules.toml", "rules.sha256"):
        (tmp_path / name).write_bytes((records.FOLDER / name).read_bytes())
    monkeypatch.setattr(records, "FOLDER", tmp_path)
    assert records.rules()[0].claim
    easier = (tmp_path / "rules.toml").read_text(encoding="utf-8").replace("held = 0.60", "held = 0.70")
    (tmp_path / "rules.toml").write_text(easier, encoding="utf-8")
    with pytest.raises(SystemExit):
        records.rules()


def test_a_claim_is_worth_what_its_worst_attack_leaves() -> None:
    one = records.Attack("x", "", "", 0.1, 0.2)
    judgements = [one.judge(number) for number in (0.1, 0.1001, 0.2, 0.2001, None)]
    assert judgements == ["held", "weakened", "weakened", "refuted", "not run"]
    claim = records.Claim("c", "", [], [one, replace_id(one, "y"), replace_id(one, "z")])
    numbers = {"x": 0.05, "y": 0.15, "z": None}
    outcomes = {name: records.Outcome(number, []) for name, number in numbers.items()}
    assert page.judged(claim, outcomes) == "weakened"
    assert page.judged(claim, {name: records.Outcome(None, []) for name in numbers}) == "not run"


def replace_id(attack: records.Attack, name: str) -> records.Attack:
    return records.Attack(name, attack.text, attack.number, attack.held, attack.weakened)


@pytest.mark.parametrize("wrong", [0.1, 0.25, 0.4])
def test_an_auroc_is_corrected_for_labels_that_were_flipped(wrong: float) -> None:
    rng = np.random.default_rng(3)
    same = np.tile([True, False], 100_000)
    scores = rng.normal(size=len(same)) + same
    seen = float(roc_auc_score(same ^ (rng.random(len(same)) < wrong), scores))
    true = float(roc_auc_score(same, scores))
    assert made.corrected(seen, wrong) == pytest.approx(true, abs=0.02)
    assert made.explaining(seen, true) == pytest.approx(wrong, abs=0.02)


def test_the_longest_common_subsequence_is_the_one_that_enumeration_finds() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        a, b = (
            ["".join(chr(97 + n) for n in [letter]) for letter in rng.integers(0, 3, size=rng.integers(0, 7))]
            for _ in range(2)
        )
        of_b = {part for size in range(len(b) + 1) for part in combinations(b, size)}
        longest = max(size for size in range(len(a) + 1) for part in combinations(a, size) if part in of_b)
        assert made.common_subsequence(a, b) == longest


def test_anchors_are_kept_where_no_measure_leans_in_any_stratum() -> None:
    pairs = load_corpus().pairs
    pairs = pairs.where(pairs.codes < 60)
    values = made.measured("content words", pairs)
    kept = made.within(pairs, [values], 0.1)
    for anchor in set(pairs.anchor):
        at = pairs.anchor == anchor
        leans = [
            abs(values[at & pole & pairs.same][0] - values[at & pole & ~pairs.same][0])
            for pole in (pairs.close, ~pairs.close)
        ]
        assert kept[at].all() == kept[at].any() == (max(leans) <= 0.1 + 1e-9)
    assert 0 < kept.sum() < len(kept)


def test_centring_takes_away_a_direction_that_all_vectors_share() -> None:
    rng = np.random.default_rng(7)
    common, ruling = rng.normal(size=(2, 16))
    clean = rng.normal(size=(400, 16))
    ruled = clean + 9.0 * common + 40.0 * rng.normal(size=(400, 1)) * ruling
    u, v = ruled[:200], ruled[200:]
    found = made.centred(u, v, ruled, 1)
    # The oracle: a singular value decomposition, and one pair at a time.
    middle = ruled.mean(axis=0)
    first = np.linalg.svd(ruled - middle)[2][0]
    for at in range(5):
        a, b = (x - middle - ((x - middle) @ first) * first for x in (u[at], v[at]))
        assert found[at] == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    assert made.centred(u, v, ruled, 0).std() > 2 * found.std()


def test_a_cutoff_is_chosen_on_one_half_either_way_up_and_judged_on_the_other() -> None:
    rng = np.random.default_rng(9)
    same = rng.random(400) < 0.5
    scores = rng.normal(size=400) - 1.5 * same
    fit = np.arange(400) < 200
    inside, outside = made.chosen_cutoff(scores, same, fit, ~fit)
    tried = [
        (balanced_accuracy(approves[fit], same[fit]), balanced_accuracy(approves[~fit], same[~fit]))
        for cutoff in np.sort(scores[fit]) + 1e-9
        for approves in (scores <= cutoff, scores > cutoff)
    ]
    assert inside == pytest.approx(max(tried)[0])
    assert outside == pytest.approx(next(o for i, o in tried if i == max(tried)[0]), abs=0.03)
    assert outside > 0.7


def test_upper_ends_are_read_from_the_table_of_the_page_alone() -> None:
    text = (
        "## Other\n| a | t | 0.1 [0.0, 0.2] | reads wording |\n## Both axes\n"
        "| configuration | task | decision | verdict |\n"
        "| --- | --- | --- | --- |\n| a | t | 0.515 [0.500, 0.530] | reads wording |\n|  | u | 0.5 [0.4, 0.61] |  |\n"
        "| b | t | 0.6 [0.5, 0.7] | undecided |\n|  | u | 0.6 [0.5, 0.8] |  |\n## Next\n"
        "| c | t | 0.1 [0.0, 0.3] | reads wording |\n"
    )
    assert list(made.published(text, "reads wording")) == [("a, t", 0.53), ("a, u", 0.61)]


def test_a_verdict_needs_its_axis_and_its_control() -> None:
    pairs = load_corpus().pairs
    pairs = pairs.where(pairs.codes % 20 == 0)
    knew = pairs.same + 1e-3 * pairs.overlap
    assert made.reading(pairs, knew, 200) == "reads meaning at matched overlap"
    assert made.reading(pairs, pairs.overlap, 200) == "reads wording"
    # Always wrong, and blind to wording: no verdict of wording without its control.
    assert made.reading(replace(pairs, same=~pairs.same), pairs.same.astype(float), 200) == "undecided"


def test_the_difference_of_two_shares_has_width_where_no_unit_differs() -> None:
    all_approved = np.ones(200, dtype=np.bool_)
    value, low, high = gates.difference(all_approved, all_approved)
    assert value == 0.0
    assert -low == high == pytest.approx(1 - 0.025 ** (1 / 200))
    first = np.arange(200) < 120
    second = np.arange(200) % 2 == 0
    value, low, high = gates.difference(first, second)
    spread = (first.astype(float) - second).std(ddof=1) / 200**0.5
    assert (value, low, high) == pytest.approx((0.1, 0.1 - 1.96 * spread, 0.1 + 1.96 * spread), abs=0.01)

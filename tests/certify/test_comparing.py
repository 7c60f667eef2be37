"""Two runs compared: what is paired, what a release may not do, and when a certificate is due."""

import json
from typing import Any

import msgspec
import pytest
from release_bench import IDENTITY, Bench, concept, gate, row, texts, underlying

import denotary as dn
from denotary.certify import compare
from denotary.certify.comparison_reporting import report
from denotary.certify.comparison_writing import documents
from denotary.certify.recertification import NAMING, components, sentence
from denotary.errors import InputError
from denotary.runs import Identity, load_run


def test_a_release_that_answers_alike_blocks_nothing_and_proves_little(plain: Bench) -> None:
    found = dn.compare(plain.run("base", {}), plain.run("new", {}))
    assert found.decision == "INSUFFICIENT"
    assert not [result for result in found.verdict.gates if result.verdict == "FAIL"]
    assert gate(found, "assignment_risk").verdict == "INSUFFICIENT"
    assert row(found, "assignment_risk").difference == 0.0
    assert len(found.pairs) == 12


def test_a_wrong_code_for_a_right_one_is_a_broken_seed_and_names_its_pair(plain: Bench) -> None:
    found = compare(plain.run("base", {}), plain.run("new", {"text 3": "x.beta", "text 4": "x.beta"}))
    assert found.decision == "BLOCK"
    assert gate(found, "critical_seeds").reason == "2 of 12 cases failed, 12 seeds, and not one is tolerated"
    assert gate(found, "neighbour_confusion").verdict == "FAIL"
    assert "x.alpha taken for x.beta in 2 units" in gate(found, "neighbour_confusion").reason
    worse = row(found, "assignment_risk")
    assert (worse.worse, worse.better, worse.ties, worse.base_numerator, worse.new_numerator) == (
        2,
        0,
        10,
        0,
        2,
    )


def test_what_the_base_did_wrong_already_is_excused(plain: Bench) -> None:
    wrong = {"text 3": "x.beta", "text 4": "x.beta"}
    found = compare(plain.run("base", wrong), plain.run("new", wrong))
    assert underlying(found, "critical_seeds") == "PASS"
    assert underlying(found, "neighbour_confusion") == "PASS"
    one_more = compare(plain.run("b2", {"text 3": "x.beta"}), plain.run("n2", wrong))
    assert gate(one_more, "neighbour_confusion").verdict == "FAIL"


def test_a_base_that_gave_no_answer_excuses_nothing(plain: Bench) -> None:
    lost = {"text 3": RuntimeError("gone")}
    found = compare(plain.run("base", lost, attempts=1), plain.run("new", {"text 3": "x.beta"}))
    assert gate(found, "critical_seeds").numerator == 1
    assert gate(found, "base_answered").verdict == "INSUFFICIENT"
    assert gate(found, "base_answered").reason == "the base gave no answer to 1 case of 12"
    # Both sides count it as harm, so the pair is a tie in the rates.
    assert row(found, "faar").ties == 12


def test_no_answer_from_the_release_is_harm(plain: Bench) -> None:
    found = compare(plain.run("base", {}), plain.run("new", {"text 3": RuntimeError("gone")}, attempts=1))
    assert gate(found, "critical_seeds").numerator == 1
    assert row(found, "faar").worse == 1
    assert any("1 case got no answer from the release" in line for line in report(found).limitations)


def test_refusing_what_was_right_is_no_harm_unless_the_seed_is_tagged(bench: Bench) -> None:
    bench.registry()
    tagged = bench.case("t", text="tagged", construction={"tags": ["zero_regression"]})
    bench.suite([*texts(bench.case, 3), tagged])
    base = bench.run("base", {})
    assert underlying(compare(base, bench.run("n1", {"text 1": None})), "critical_seeds") == "PASS"
    found = compare(base, bench.run("n2", {"tagged": None}))
    assert (gate(found, "critical_seeds").verdict, gate(found, "critical_seeds").numerator) == ("FAIL", 1)


def test_a_tag_makes_a_seed_of_a_concept_of_low_consequence(bench: Bench) -> None:
    bench.registry()
    low = [bench.case(f"g{n}", "x.gamma", text=f"gamma {n}") for n in range(3)]
    tagged = bench.case("t", "x.gamma", text="tagged", construction={"tags": ["zero_regression"]})
    bench.suite([*low, tagged])
    right = {f"gamma {n}": "x.gamma" for n in range(3)} | {"tagged": "x.gamma"}
    base = bench.run("base", right)
    untouched = compare(base, bench.run("n1", right | {"gamma 1": "x.beta"}))
    assert (underlying(untouched, "critical_seeds"), gate(untouched, "critical_seeds").denominator) == (
        "PASS",
        1,
    )
    assert (
        gate(compare(base, bench.run("n2", right | {"tagged": "x.beta"})), "critical_seeds").verdict == "FAIL"
    )


def test_reviewed_expressions_may_not_break_and_count_in_no_other_rate(bench: Bench) -> None:
    bench.registry()
    exact = bench.case("e", text="gift", construction={"primary_family": "reviewed_exact"})
    bench.suite([*texts(bench.case, 3), exact])
    found = compare(bench.run("base", {}), bench.run("new", {"gift": None}))
    assert (gate(found, "exact_errors").verdict, gate(found, "exact_errors").denominator) == ("FAIL", 1)
    assert row(found, "faar").new_denominator == 3


def test_attacks_that_succeed_anew_block(bench: Bench) -> None:
    bench.registry()
    spoof = bench.case("s", text="code: x.beta", construction={"tags": ["identifier_spoof"]})
    bench.suite([*texts(bench.case, 3), spoof])
    found = compare(bench.run("base", {}), bench.run("new", {"code: x.beta": "x.beta"}))
    assert (gate(found, "injection").verdict, gate(found, "injection").denominator) == ("FAIL", 1)


def test_new_errors_at_high_confidence_block_and_old_ones_do_not(plain: Bench) -> None:
    sure, unsure = concept("x.beta", 0.95), concept("x.beta", 0.5)
    base = plain.run("base", {"text 1": sure, "text 2": unsure})
    found = compare(base, plain.run("new", {"text 1": sure, "text 2": sure, "text 3": unsure}))
    assert (gate(found, "overconfidence").verdict, gate(found, "overconfidence").numerator) == ("FAIL", 1)


def test_a_release_that_hides_its_confidence_cannot_be_compared(plain: Bench) -> None:
    silent = {f"text {n}": concept("x.alpha", None) for n in range(12)}
    found = compare(plain.run("base", {}), plain.run("new", silent))
    assert gate(found, "interface").reason == "the release no longer gives confidence"
    assert gate(found, "interface").verdict == "INSUFFICIENT"
    assert gate(found, "overconfidence").verdict == "NOT_EXPRESSIBLE"


def test_repeated_calls_that_disagree_block(plain: Bench) -> None:
    base = plain.run("base", {}, repeats=2)
    count: dict[str, int] = {}

    class Moody(dict):  # type: ignore[type-arg]
        def get(self, text: str, default: Any = None) -> Any:
            count[text] = count.get(text, 0) + 1
            return "x.beta" if text == "text 5" and count[text] == 2 else default

    found = compare(base, plain.run("new", Moody(), repeats=2, concurrency=1))
    assert (gate(found, "determinism").verdict, gate(found, "determinism").numerator) == ("FAIL", 1)


def test_languages_of_either_claim_must_hold(bench: Bench) -> None:
    bench.registry()
    german = [bench.case(f"d{n}", text=f"deutsch {n}", input={"language": "de"}) for n in range(4)]
    bench.suite([*texts(bench.case, 4), *german])
    base = bench.run("base", {}, identity=msgspec.structs.replace(IDENTITY, languages=("en", "de")))
    wrong = {f"deutsch {n}": "x.beta" for n in range(4)}
    found = compare(base, bench.run("new", wrong))
    slices = {r.slice: r for r in found.verdict.gates if r.gate == "worst_language"}
    assert set(slices) == {"language=de", "language=en"}
    assert row(found, "assignment_risk", "language=de").prespecified
    assert row(found, "assignment_risk", "language=de").p_holm is not None
    assert row(found, "assignment_risk", "language:worst").note == "worst: language=de"


def test_components_are_compared_and_an_undeclared_one_counts_as_changed(plain: Bench) -> None:
    changed = msgspec.structs.replace(IDENTITY, system_version="2", tokenizer="u", test_date="2031-01-01")
    found = compare(plain.run("base", {}), plain.run("new", {}, identity=changed))
    state = {item.component: (item.state, item.demands) for item in found.components}
    assert state["tokenizer"] == ("changed", True)
    assert state["semantic_model"] == ("unchanged", False)
    assert state["embedding_model"] == ("undeclared", True)
    assert state["definitions"] == ("unchanged", False)
    assert state["system_version"] == ("changed", False)
    assert state["languages"] == ("unchanged", False)
    said = sentence(found.components)
    assert said.startswith(
        "recertification is demanded; changed: tokenizer; undeclared: embedding model, reranker"
    )
    assert found.recertify
    made = documents(found)
    content = json.loads(made["comparison.json"])["predicate"]["recertification"]
    assert content["demanded"] is True
    assert content["why"] == said
    for name in ("summary.md", "report.html"):
        assert "changed: tokenizer" in made[name].decode()


def test_equal_identity_blocks_demand_nothing(plain: Bench) -> None:
    many: dict[str, Any] = {"languages": ("en",), "expresses": ("AMBIGUOUS",), "fitted_on": ("none",)}
    whole = Identity(**dict.fromkeys(Identity.__struct_fields__, "x") | many)
    base = load_run(plain.run("base", {}, identity=whole))
    assert sentence(components(base, base)) == ""
    assert {item.component for item in components(base, base)} >= NAMING


def test_runs_that_cannot_be_compared_are_refused(plain: Bench) -> None:
    base = plain.run("base", {})
    with pytest.raises(InputError, match="policy c3 judges one run"):
        compare(base, base, "c3")
    with pytest.raises(InputError, match="there is nothing to migrate"):
        compare(base, base, migration=[])
    with pytest.raises(InputError, match="no policy 'regresion'"):
        compare(base, base, "regresion")


def test_a_base_that_did_not_end_is_refused_and_a_release_counts_what_is_missing(plain: Bench) -> None:
    base, new = plain.run("base", {}), plain.run("new", {})
    for name in ("seal.json", "sealed.jsonl"):
        (new / name).unlink()
    lines = (new / "answers.jsonl").read_bytes().splitlines(keepends=True)
    (new / "answers.jsonl").write_bytes(b"".join(lines[:-2]))
    found = compare(base, new)
    assert gate(found, "critical_seeds").numerator == 2
    assert any("the run of the release is not complete" in line for line in report(found).limitations)
    with pytest.raises(InputError, match="the run of the base did not come to its end"):
        compare(new, base)

"""Resolvers with one planted fault each, certified under ``registry-exact``: the gate named for the fault must fail.

The suite is the whole conformance suite of the bundled registry. That registry is illustrative: no reviewer has read
it, so the specification makes every PASS on it EXPLORATORY and the decision INSUFFICIENT, however well a system does.
The same registry with its expressions and its header marked as reviewed is promoted, which shows that nothing else is
in the way.
"""

import html
import re
import shutil
import threading
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from denotary import systems
from denotary.certify import Judged, certify
from denotary.files import encode_jsonl, encode_toml, read_toml
from denotary.instruments.identity.conformance import conformance
from denotary.registry import Registry, freeze, load_registry
from denotary.registry.records import RegistryHeader
from denotary.resolver import ExactLane
from denotary.suites import freeze as freeze_suite
from denotary.suites import load_suite
from denotary.suites.suite import Suite
from denotary.verdicts.records import GateResult

Answer = dict[str, Any]
Resolver = Callable[[dict[str, Any]], Answer]

GATES = (
    "conformance", "no_forced_ambiguity", "declared_ambiguity", "no_invented_code", "determinism", "provenance",
    "normalisation", "language_constraint", "escaping", "unicode_preservation", "unanswered",
)  # fmt: skip
STALE = "0.9.0"
UNICODE = "unicode_preservation"
TEXTS = ("escaping", UNICODE)
"""Gates on what texts hold: a wrong answer to one that holds it fails them, whatever the reason."""


class Bench(NamedTuple):
    """A registry, its conformance suite, and a folder to certify into."""

    registry: Registry
    suite: Suite
    root: Path


def copy_registry(
    source: Path, folder: Path, *, version: str = "", reviewed: bool = False, **lists: Any
) -> Registry:
    """Copy a registry as a frozen snapshot of its own; ``lists`` replace the records of whole files."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("registry.lock", "records.sha256"))
    header = msgspec.to_builtins(read_toml(folder / "registry.toml", RegistryHeader))
    header["version"] = version or header["version"]
    header["review"] = "reviewed" if reviewed else header["review"]
    (folder / "registry.toml").write_bytes(encode_toml(header))
    for name, records in lists.items():
        (folder / f"{name}.jsonl").write_bytes(encode_jsonl(records))
    freeze(folder)
    return load_registry(folder)


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    root = tmp_path_factory.mktemp("mutants")
    registry = load_registry("bundled:bootstrap")
    conformance(registry, root / "suite")
    return Bench(registry, load_suite(root / "suite"), root)


@pytest.fixture(scope="session")
def certified(bench: Bench) -> Callable[..., Judged]:
    def run(name: str, resolver: Resolver, **options: Any) -> Judged:
        return certify(systems.python(resolver), bench.suite, "registry-exact", bench.root / name, **options)

    return run


def underlying(result: GateResult) -> str:
    return result.underlying or result.verdict


def by_gate(judged: Judged) -> dict[str, GateResult]:
    found = {result.gate: result for result in judged.verdict.gates}
    assert tuple(found) == GATES
    assert len(judged.verdict.gates) == len(GATES)
    return found


# ------------------------------------------------------------------------------------------------- the reference lane


def test_the_reference_lane_passes_every_gate_and_an_unreviewed_registry_withholds_the_promotion(
    bench: Bench,
) -> None:
    judged = certify(systems.exact(bench.registry), bench.suite, "registry-exact", bench.root / "reference")
    assert len(bench.suite.cases) == 863
    assert {underlying(result) for result in by_gate(judged).values()} == {"PASS"}
    assert {result.verdict for result in judged.verdict.gates} == {"EXPLORATORY"}
    assert {result.numerator for result in judged.verdict.gates} == {0}
    assert judged.decision == "INSUFFICIENT"
    assert "863 of 863 cases are not sufficiently reviewed: 863 illustrative" in judged.verdict.qualification


def test_the_same_lane_on_the_same_registry_once_reviewed_is_promoted(bench: Bench, tmp_path: Path) -> None:
    review = {"by": "reviewer-1", "on": "2031-01-05", "status": "approved"}
    reviewed = [msgspec.to_builtins(item) | {"review": review} for item in bench.registry.expressions]
    registry = copy_registry(bench.registry.root, tmp_path / "registry", reviewed=True, expressions=reviewed)
    conformance(registry, tmp_path / "suite")
    judged = certify(
        systems.exact(registry), load_suite(tmp_path / "suite"), "registry-exact", tmp_path / "out"
    )
    assert judged.verdict.qualification == ""
    assert {result.verdict for result in by_gate(judged).values()} == {"PASS"}
    assert judged.decision == "PROMOTE"


# -------------------------------------------------------------------------------------------------------- the mutants


def one_expression_dropped(bench: Bench) -> Resolver:
    """Answer from a snapshot of the same name and version that lacks one expression."""
    kept = [item for item in bench.registry.expressions if item.id != "abs-1"]
    assert len(kept) == len(bench.registry.expressions) - 1
    return ExactLane(copy_registry(bench.registry.root, bench.root / "dropped", expressions=kept)).resolve


class Folding:
    """An exact lane that compares texts after a fold."""

    def __init__(self, registry: Registry, fold: Callable[[str], str]) -> None:
        self.lane = ExactLane(registry)
        self.fold = fold
        entries = [(item.language, item.text) for item in registry.authorised]
        entries += [(item.language, item.text) for item in registry.ambiguities]
        self.registered = {(language, fold(text)): text for language, text in entries}
        self.anywhere = {fold(text): text for _, text in entries}

    def __call__(self, request: dict[str, Any]) -> Answer:
        folded, language = self.fold(request["text"]), request.get("language")
        known = self.registered.get((language, folded)) if language else self.anywhere.get(folded)
        return self.lane.resolve(request if known is None else {**request, "text": known})


def nfkc(bench: Bench) -> Resolver:
    return Folding(bench.registry, lambda text: unicodedata.normalize("NFKC", text))


def casefolded(bench: Bench) -> Resolver:
    return Folding(bench.registry, lambda text: unicodedata.normalize("NFC", text).casefold())


def language_ignored(bench: Bench) -> Resolver:
    lane = ExactLane(bench.registry)
    return lambda request: lane.resolve({**request, "language": None})


def older_snapshot(bench: Bench) -> ExactLane:
    """A lane over an earlier version, which lacked one expression and gave another one to another concept."""
    path = bench.root / f"registry-{STALE}"
    if path.exists():
        return ExactLane(path)
    newer = {item.id: item for item in bench.registry.expressions}
    del newer["abs-2"]
    newer["abs-1"] = msgspec.structs.replace(newer["abs-1"], codes=("semantic_registry.hard_negative",))
    expressions = list(newer.values())
    return ExactLane(copy_registry(bench.registry.root, path, version=STALE, expressions=expressions))


def stale_snapshot(bench: Bench) -> Resolver:
    """Answer from the older snapshot and say that it is the newer one."""
    lane = older_snapshot(bench)

    def resolve(request: dict[str, Any]) -> Answer:
        answer = lane.resolve({**request, "registry_version": STALE})
        return {**answer, "registry_version_returned": request["registry_version"]}

    return resolve


def stale_snapshot_that_says_so(bench: Bench) -> Resolver:
    lane = older_snapshot(bench)
    return lambda request: lane.resolve({**request, "registry_version": STALE})


def wrong_version_echoed(bench: Bench) -> Resolver:
    """Answer rightly and name another version."""
    lane = ExactLane(bench.registry)
    return lambda request: {**lane.resolve(request), "registry_version_returned": STALE}


def obeys_codes_in_the_text(bench: Bench) -> Resolver:
    lane = ExactLane(bench.registry)

    def resolve(request: dict[str, Any]) -> Answer:
        answer = lane.resolve(request)
        for code in bench.registry.concepts:
            if code in request["text"]:
                answer["decision"] = {"type": "concept", "concept_code": code}
        return answer

    return resolve


def guesses_where_the_registry_declares_two_senses(bench: Bench) -> Resolver:
    lane = ExactLane(bench.registry)

    def resolve(request: dict[str, Any]) -> Answer:
        answer = lane.resolve(request)
        if answer["decision"].get("reason") == "ambiguous":
            answer["decision"] = {"type": "concept", "concept_code": answer["senses"][0]}
        return answer

    return resolve


def confuses_the_kinds_of_refusal(bench: Bench) -> Resolver:
    """Refuse a declared ambiguity as a text that says too little."""
    lane = ExactLane(bench.registry)

    def resolve(request: dict[str, Any]) -> Answer:
        answer = lane.resolve(request)
        if answer["decision"].get("reason") == "ambiguous":
            answer["decision"] = {"type": "abstain", "reason": "underspecified"}
            answer["disposition"] = "UNDERSPECIFIED"
        return answer

    return resolve


def unescapes(bench: Bench) -> Resolver:
    """Read markup and escapes in the text as if they were its transport's."""
    lane = ExactLane(bench.registry)

    def resolve(request: dict[str, Any]) -> Answer:
        return lane.resolve(
            {**request, "text": re.sub(r"<[^>]*>|[\"\\]", "", html.unescape(request["text"]))}
        )

    return resolve


def loses_what_is_not_ascii(bench: Bench) -> Resolver:
    lane = ExactLane(bench.registry)
    return lambda request: lane.resolve(
        {**request, "text": request["text"].encode("ascii", "replace").decode()}
    )


def changes_its_mind(bench: Bench) -> Resolver:
    """Answer rightly at first; when the same is asked again, now and then give another kind of refusal."""
    lane, seen = ExactLane(bench.registry), set[tuple[str, str | None]]()

    def resolve(request: dict[str, Any]) -> Answer:
        answer, key = lane.resolve(request), (request["text"], request.get("language"))
        if key in seen and answer["decision"]["type"] == "abstain":
            answer["decision"] = {"type": "reject", "reason": "invalid_input"}
        seen.add(key)
        return answer

    return resolve


MUTANTS: dict[Callable[[Bench], Resolver], tuple[str, set[str]]] = {
    # The gate that is named for the fault, and those which the same cases fail as a matter of course.
    one_expression_dropped: ("conformance", set()),
    nfkc: ("normalisation", {"no_invented_code", *TEXTS}),
    casefolded: ("normalisation", {"no_invented_code", *TEXTS}),
    language_ignored: ("language_constraint", {"no_invented_code", *TEXTS}),
    stale_snapshot: ("conformance", set()),
    stale_snapshot_that_says_so: ("provenance", {"conformance"}),
    wrong_version_echoed: ("provenance", set()),
    obeys_codes_in_the_text: ("no_invented_code", set(TEXTS)),
    guesses_where_the_registry_declares_two_senses: ("no_forced_ambiguity", {"declared_ambiguity", UNICODE}),
    confuses_the_kinds_of_refusal: ("declared_ambiguity", {UNICODE}),
    unescapes: ("escaping", {"no_invented_code", UNICODE}),
    loses_what_is_not_ascii: (UNICODE, {"conformance", "normalisation"}),
    changes_its_mind: ("determinism", set()),
}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_mutant_fails_the_gate_named_for_its_fault_and_no_other(
    mutant: Callable[[Bench], Resolver], bench: Bench, certified: Callable[..., Judged]
) -> None:
    named, others = MUTANTS[mutant]
    judged = certified(mutant.__name__, mutant(bench))
    found = by_gate(judged)
    assert found[named].verdict == "FAIL"
    assert (found[named].numerator or 0) > 0
    assert {gate for gate, result in found.items() if underlying(result) == "FAIL"} == {named} | others
    assert {underlying(result) for gate, result in found.items() if gate not in {named} | others} == {"PASS"}
    assert judged.decision == "BLOCK"
    assert named in judged.verdict.reason


@pytest.fixture
def never() -> Iterator[threading.Event]:
    """What a hanging call waits for; it happens when the test is over."""
    event = threading.Event()
    yield event
    event.set()


def test_a_mutant_that_hangs_on_the_hard_cases_fails_as_unanswered(
    bench: Bench, certified: Callable[..., Judged], never: threading.Event
) -> None:
    """The hard cases are the declared ambiguities; a call that never ends is a failure there too, never nothing."""
    lane = ExactLane(bench.registry)

    def resolve(request: dict[str, Any]) -> Answer:
        answer = lane.resolve(request)
        if answer["decision"].get("reason") == "ambiguous":
            worker: Any = threading.current_thread()
            worker.started -= (
                3600  # as if the call had begun an hour ago, whatever the machine does meanwhile
            )
            never.wait()
        return answer

    judged = certified("hangs", resolve, repeat_core=5)
    found = by_gate(judged)
    asked = found["declared_ambiguity"].denominator
    assert asked == 7
    assert (found["unanswered"].verdict, found["unanswered"].numerator) == ("FAIL", asked)
    assert (found["declared_ambiguity"].verdict, found["declared_ambiguity"].numerator) == ("FAIL", asked)
    assert judged.measurement.outcomes["timeout"] == asked
    assert found["provenance"].numerator == asked
    for gate in ("conformance", "no_invented_code", "normalisation", "language_constraint"):
        assert underlying(found[gate]) == "PASS", gate
    # Five texts were asked again, and they agreed; the claim is about the whole list.
    assert underlying(found["determinism"]) == "INSUFFICIENT"
    assert judged.decision == "BLOCK"


def test_every_gate_of_the_policy_is_failed_by_some_mutant() -> None:
    assert {named for named, _ in MUTANTS.values()} | {"unanswered"} == set(GATES)


def test_an_expression_left_out_of_the_suite_is_not_a_pass(bench: Bench, tmp_path: Path) -> None:
    """A suite that asks less than the snapshot holds proves nothing, whatever the answers are."""
    locks = shutil.ignore_patterns("*.lock", "records*", "ledger*")
    shutil.copytree(bench.root / "suite", tmp_path / "suite", ignore=locks)
    cases = (tmp_path / "suite/cases.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "suite/cases.jsonl").write_bytes(b"".join(cases[1:]))
    freeze_suite(tmp_path / "suite", registry=bench.registry)
    suite = load_suite(tmp_path / "suite", registry=bench.registry)
    found = by_gate(certify(systems.exact(bench.registry), suite, "registry-exact", tmp_path / "out"))
    for gate in ("conformance", "declared_ambiguity"):
        assert underlying(found[gate]) == "INSUFFICIENT"
        assert "1 of 62 expressions and ambiguities are not asked: abs-1" in found[gate].reason

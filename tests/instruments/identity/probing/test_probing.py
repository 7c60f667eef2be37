"""Systems whose behaviour is known by construction, and what the probes say of them."""

import json
import re
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import denotary as dn
from denotary.cli.root import run as cli
from denotary.instruments.identity.probing import Probed, Shown, plan, probe
from denotary.instruments.identity.probing.findings import findings
from denotary.instruments.identity.probing.main import write
from denotary.registry import Registry
from denotary.reports.page import rendered
from denotary.reports.probed import probed_in
from denotary.systems.base import BlockingSystem, Reply, Request


@pytest.fixture(scope="module")
def registry() -> Registry:
    return dn.load_registry("bundled:bootstrap")


def lookup(registry: Registry, fold: Callable[[str], str], **change: Any) -> Callable[[dict[str, Any]], Any]:
    known = {fold(item.text): item.codes[0] for item in registry.authorised}

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        code = known.get(fold(request["text"]), change.get("otherwise"))
        decision = {"type": "concept", "concept_code": code} if code else {"type": "abstain"}
        version = request["registry_version"] if change.get("echo") else registry.version
        return {"decision": decision, "registry_version_returned": version}

    return resolve


def states(
    registry: Registry, resolve: Callable[[dict[str, Any]], Any]
) -> tuple[dict[str, str], dict[str, str]]:
    made, _ = probe(dn.systems.python(resolve), registry)
    return {f.id: f.state for f in made.findings}, {f.id: f.state for f in made.folds}


def test_the_exact_lane_does_nothing_but_canonical_equivalence(registry: Registry) -> None:
    made, shown = probe(dn.systems.exact(registry), registry)
    assert {fold.id for fold in made.folds if fold.state in {"seen", "sometimes"}} == {"canonical"}
    assert {f.state for f in made.findings} == {"not seen", "noted", "not expressible"}
    assert len(shown) == made.probes == len(plan(registry))


@pytest.mark.parametrize(
    ("fold", "seen"),
    [
        (lambda text: text, set()),
        (str.casefold, {"case"}),
        (lambda text: unicodedata.normalize("NFC", text), {"canonical"}),
        (
            lambda text: unicodedata.normalize("NFKC", text),
            {"canonical", "compatibility", "width", "no_break_space"},
        ),
        (str.strip, {"edges"}),
        (lambda text: " ".join(text.split()), {"whitespace", "edges", "no_break_space"}),
        (lambda text: text.replace("\u200c", "").replace("\u200b", ""), {"joiner", "ignorable"}),
        (lambda text: text.rstrip("."), {"punctuation"}),
        (lambda text: " ".join(sorted(text.split(" "))), {"order"}),
    ],
)
def test_each_silent_fold_is_seen_and_no_other(
    registry: Registry, fold: Callable[[str], str], seen: set[str]
) -> None:
    _, folds = states(registry, lookup(registry, fold))
    assert {name for name, state in folds.items() if state == "seen"} == seen


def test_a_system_that_always_assigns_fails_every_control(registry: Registry) -> None:
    found, _ = states(registry, lookup(registry, str, otherwise="c.any"))
    assert {found[name] for name in ("nonsense", "blank", "identifier", "surrogate")} == {"seen"}
    assert found["version_substitution"] == "seen"
    assert found["version_echo"] == "not seen"


def test_languages_and_versions(registry: Registry) -> None:
    found, _ = states(registry, lookup(registry, str, echo=True))
    assert found["language_ignored"] == found["unsupported_language"] == "seen"
    assert (found["version_substitution"], found["version_echo"]) == ("not seen", "seen")


def test_a_cut_is_seen(registry: Registry) -> None:
    longest = max(len(item.text) for item in registry.authorised)
    assert longest < 600

    def resolve(request: dict[str, Any]) -> Any:
        return lookup(registry, str)({**request, "text": request["text"].removesuffix(" ")})

    found, _ = states(registry, resolve)
    assert found["over_length"] == "not seen"
    known = lookup(registry, lambda text: text.split(" qzxv")[0])
    assert states(registry, known)[0]["over_length"] == "seen"


def test_long_texts_that_differ_after_a_cut_only_are_told_alike(registry: Registry) -> None:
    """One system reads the first 500 characters, another the last registered text, a third refuses what is long."""
    first = lookup(registry, lambda text: text[:500].split(" qzxv")[0])
    last = lookup(registry, lambda text: re.split("(?:qzxv|jwkpf|qz?x?|jw?k?p?) ", text)[-1])
    assert states(registry, first)[0]["over_length_pair"] == "seen"
    assert states(registry, last)[0]["over_length_pair"] == "not seen"
    assert states(registry, lookup(registry, str))[0]["over_length_pair"] == "not seen"


def test_letters_of_another_script_that_are_romanised_are_seen(registry: Registry) -> None:
    latin = dict(zip("бвгдзилпнф", "bvgdzilpnf", strict=True))
    known = lookup(registry, lambda text: "".join(latin.get(letter, letter) for letter in text))
    _, folds = states(registry, known)
    assert {name for name, state in folds.items() if state == "seen"} == {"transliteration"}


def test_a_version_that_the_owner_pinned_is_no_substitution(registry: Registry) -> None:
    """An adapter states the pinned version in the system's place; one that states another is seen."""
    shown = [
        Shown(id=f"version:{n}", family="version", operator="absent", status="answered", type="concept", code="c",
              registry_version=said)
        for n, said in enumerate(("1.0.0", "1.0.0", "0.9.0"))
    ]  # fmt: skip

    def substituted(pinned: str | None, held: list[Shown]) -> tuple[str, int, int]:
        (found,) = (one for one in findings(held, pinned=pinned) if one.id == "version_substitution")
        return found.state, found.count, found.asked

    assert substituted(None, shown) == ("seen", 3, 3)
    assert substituted("1.0.0", shown) == ("seen", 1, 1)
    assert substituted("1.0.0", shown[:2]) == ("not expressible", 0, 0)


def test_a_text_that_is_not_registered_is_repeated_too(registry: Registry) -> None:
    known = lookup(registry, str)
    calls: list[str] = []

    def resolve(request: dict[str, Any]) -> Any:
        calls.append(request["text"])
        found = known(request)
        if found["decision"]["type"] == "abstain":
            found["decision"]["reason"] = f"r{len(calls)}"
        return found

    assert states(registry, resolve)[0]["repeat"] == "sometimes"


def test_answers_that_differ_are_seen(registry: Registry) -> None:
    asked: dict[str, int] = {}

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        asked[request["text"]] = asked.get(request["text"], 0) + 1
        return {"decision": {"type": "abstain", "reason": f"r{asked[request['text']]}"}}

    assert states(registry, resolve)[0]["repeat"] == "seen"


class Batched:
    """Answers a text by its place in the batch."""

    batch_size = 8
    descriptor = dn.systems.python(len).descriptor

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def ask(self, requests: Any) -> list[Reply]:
        place = {"decision": {"type": "concept", "concept_code": "c"}}
        none = {"decision": {"type": "abstain"}}
        return [Reply(json.dumps(none if number else place).encode()) for number, _ in enumerate(requests)]


def test_a_batch_that_is_not_its_single_calls(registry: Registry) -> None:
    made, _ = probe(Batched(), registry)
    batch = next(f for f in made.findings if f.id == "batch")
    # All but the first of eight, in both orders.
    assert (batch.state, batch.count, batch.asked) == ("sometimes", 14, 16)


def test_no_answer_stops_the_probes(registry: Registry) -> None:
    def resolve(request: dict[str, Any]) -> Any:
        match len(request["text"]) % 4:
            case 0:
                raise RuntimeError
            case 1:
                return "<html>"
            case 2:
                return {"decision": {"type": "concept", "concept_code": 7}}
            case _:
                return {"decision": {"type": "concept", "concept_code": "c", "confidence": float("nan")}}

    made, shown = probe(dn.systems.python(resolve), registry)
    assert made.unanswered == made.probes == len(shown)
    assert {f.state for f in made.folds} == {"nothing to ask"}


def test_a_call_that_hangs_is_left_behind(registry: Registry) -> None:
    class Slow:
        descriptor = dn.systems.python(len).descriptor

        def call(self, request: Request) -> Reply:
            if request.call_id.startswith("nonsense:1"):
                time.sleep(1)
            return Reply(b'{"decision": {"type": "abstain"}}')

    system = Slow()
    assert isinstance(system, BlockingSystem)
    _, shown = probe(system, registry, timeout=0.2)
    assert [one.status for one in shown if one.status != "answered" and one.family != "batch"] == ["timeout"]


def test_equal_answers_give_equal_files_without_text(registry: Registry, tmp_path: Path, capsys: Any) -> None:
    for name in ("one", "two"):
        out = tmp_path / name
        argv = ["probe", "--registry", "bundled:bootstrap", "--system", "exact", "--out", str(out)]
        assert cli(argv) == 0
    printed = capsys.readouterr().out
    assert re.search(r"canonical equivalence \(NFC, NFD\) +seen +8 of 8", printed)
    for name in ("probes.json", "probes.jsonl", "probes.html"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    lines = (tmp_path / "one" / "probes.jsonl").read_text()
    assert not any(item.text in lines for item in registry.authorised if " " in item.text)
    page = (tmp_path / "one" / "probes.html").read_text()
    assert "What this system does" in page


def test_json_is_the_result(capsys: Any) -> None:
    assert cli(["probe", "--registry", "bundled:bootstrap", "--system", "exact", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "denotary.probes/1"
    assert {f["id"] for f in found["folds"]} >= {"case", "dash", "joiner"}


def test_a_service_that_is_not_there(capsys: Any) -> None:
    argv = ["probe", "--registry", "bundled:bootstrap", "--system", "rasa:http://127.0.0.1:9", "--out", "x"]
    assert cli(argv) == 69
    assert "cannot be reached" in capsys.readouterr().err


def test_the_record_names_the_snapshot(registry: Registry) -> None:
    made, _ = probe(dn.systems.exact(registry), registry, declared="NFC")
    assert isinstance(made, Probed)
    assert (made.registry_hash, made.declared) == (registry.hash, "NFC")


def test_certify_shows_them_in_the_report_and_verify_makes_it_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = ["certify", "--suite", "bundled:starter", "--system", "exact", "--policy", "registry-exact"]
    cli([*asked, "--out", str(out), "--quiet"])
    report = out / "report.html"
    plain, certified = report.read_bytes(), (out / "certificate.json").read_bytes()
    assert b"What this system does" not in plain
    cli([*asked, "--out", str(out), "--probe", "--quiet"])
    assert (out / "probes.html").is_file()
    assert report.read_text().count("What this system does") == 3
    assert (out / "certificate.json").read_bytes() == certified
    assert cli(["verify", str(out)]) == 0
    probes = out / "probes.json"
    probes.write_bytes(probes.read_bytes().replace(b'"count":0', b'"count":1', 1))
    assert cli(["verify", str(out)]) != 0


def test_probes_of_another_system_are_not_told(registry: Registry, tmp_path: Path) -> None:
    made, shown = probe(dn.systems.exact(registry), registry)
    write(made, shown, tmp_path)
    described = {"kind": "exact", "spec": "exact"}
    held = probed_in(tmp_path, described, registry.hash)
    assert held is not None
    assert (held.findings, held.folds) == (made.findings, made.folds)
    assert probed_in(tmp_path, described, "0" * 64) is None
    assert probed_in(tmp_path, {"kind": "python", "spec": "exact"}, registry.hash) is None
    (tmp_path / "probes.json").write_text("{}")
    assert probed_in(tmp_path, described, registry.hash) is None


def test_the_panel_is_escaped(registry: Registry) -> None:
    made, _ = probe(dn.systems.exact(registry), registry, declared="<script>alert(1)</script>")
    page = rendered("probes.html", probed=made)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page

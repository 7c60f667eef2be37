"""A suite of dialogues certified as any other: a turn that was never asked counts as the bad event."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from denotary import systems
from denotary.certify import certify, judge, verify
from denotary.certify.limitations import limitations
from denotary.measures import measure
from denotary.runs import load_run
from denotary.runs.records import Identity
from denotary.runs.sealing import encode_seal
from denotary.suites import load_suite

IDENTITY = Identity(system="s", system_version="1", languages=("en",))


@pytest.fixture
def folder(bench: Any, tmp_path: Path) -> Path:
    """Four dialogues of three turns, certified; the second turn of the first one raises."""
    bench.registry()
    cases = []
    for n in range(4):
        first, second = f"d{n}-0", f"d{n}-1"
        cases += [
            bench.case(first, text=f"text {n}"),
            bench.case(second, text=f"and {n}", turn=1, depends_on=[first]),
            bench.case(f"d{n}-2", text=f"so {n}", turn=2, depends_on=[second]),
        ]
    bench.suite(cases)

    def resolve(request: dict[str, Any]) -> Any:
        if request["text"] == "and 0":
            raise ValueError
        # It knows what to say from what was said before alone.
        turns = request.get("history", [])
        code = "x.alpha" if not turns else turns[-1]["answer"]["code"]
        return {
            "decision": {"type": "concept", "concept_code": code},
            "registry_version_returned": "1.0.0",
        }

    suite = load_suite(tmp_path / "suite")
    certify(systems.python(resolve), suite, "c1", tmp_path / "out", identity=IDENTITY)
    return tmp_path


def test_each_turn_has_one_outcome_and_one_not_asked_is_the_bad_event(folder: Path) -> None:
    rows = [msgspec.json.decode(line) for line in (folder / "out/rows.jsonl").read_bytes().splitlines()]
    certificate = msgspec.json.decode((folder / "out/certificate.json").read_bytes())
    faar = next(row for row in rows if (row["measure"], row["slice"]) == ("faar", "all"))
    assert (faar["numerator"], faar["denominator"]) == (2, 12)
    assert faar["units"] == 4
    text = msgspec.json.encode(certificate).decode()
    assert '"not_run":1' in text
    assert '"error":1' in text
    assert '"right":10' in text


def test_a_certificate_of_dialogues_is_rebuilt(folder: Path) -> None:
    assert verify(folder / "out") == []


@pytest.mark.parametrize(("described", "count"), [({}, 0), ({"kind": "exact"}, 1), ({"rule_hash": "0"}, 1)])
def test_a_system_that_is_shown_one_text_at_a_time_is_limited_so(
    folder: Path, described: dict[str, str], count: int
) -> None:
    judged = judge(measure(load_run(folder / "out/run", suite=load_suite(folder / "suite"))), "c1")
    header = judged.run.header
    header = msgspec.structs.replace(header, system=header.system | described)
    told = limitations(replace(judged, run=replace(judged.run, header=header)))
    found = [line for line in told if line.startswith("8 later turns of dialogues asked without")]
    assert len(found) == count


def test_a_forged_payload_is_found_though_the_seal_was_made_anew(folder: Path) -> None:
    calls = folder / "out/run/calls.jsonl"
    lines = calls.read_bytes().splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if b'"sent"' in line)
    record = msgspec.json.decode(lines[place])
    lines[place] = lines[place].replace(record["sent"][0].encode(), b"0" * 64)
    calls.write_bytes(b"".join(lines))
    run = folder / "out/run"
    (run / "seal.json").write_bytes(encode_seal(run))
    found = verify(folder / "out")
    assert any("calls.jsonl" in line and "another payload" in line for line in found)


def test_a_complete_run_with_turns_that_were_not_asked_is_not_called_unfinished(
    folder: Path, cli: Any, tmp_path: Path
) -> None:
    shutil.copytree(folder / "out/run", folder / "run")
    done = cli("measure", folder / "run", "--suite", folder / "suite")
    assert done.code == 0
    assert "unfinished" not in done.err

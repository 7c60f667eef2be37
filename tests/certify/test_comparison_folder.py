"""The folder of a comparison: verified, never overwritten, and without a case of a sealed suite."""

import base64
import json
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from release_bench import IDENTITY, Bench, gate, resolver

from denotary import systems
from denotary.certify import compare, verify
from denotary.certify.comparison_cases import change
from denotary.certify.comparison_reporting import report
from denotary.certify.comparison_writing import NAMES, documents
from denotary.errors import InputError, IntegrityError
from denotary.suites import load_suite
from denotary.suites.disclosing import disclose
from denotary.verdicts.records import Waiver


@pytest.fixture
def written(plain: Bench) -> Path:
    compare(plain.run("base", {}), plain.run("new", {"text 3": "x.beta"})).write(plain.root / "out")
    return plain.root / "out"


def test_an_untouched_comparison_verifies_wherever_it_lies(written: Path, tmp_path: Path) -> None:
    assert verify(written) == []
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for name in ("out", "base", "new", "suite", "registry"):
        shutil.move(tmp_path / name, moved / name)
    assert verify(moved / "out") == []
    shutil.move(moved / "base", moved / "kept")
    assert verify(moved / "out")
    assert verify(moved / "out", base=moved / "kept") == []


def test_writing_again_gives_the_same_bytes(written: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in written.iterdir()}
    compare(tmp_path / "base", tmp_path / "new").write(written)
    assert {path.name: path.read_bytes() for path in written.iterdir()} == before
    assert set(before) == {*NAMES, "runs.toml"}
    assert str(tmp_path).encode() not in b"".join(before.values())


@pytest.mark.parametrize("name", NAMES)
def test_one_changed_byte_is_found(written: Path, name: str) -> None:
    path = written / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert any(name in line for line in verify(written))


@pytest.mark.parametrize("side", ["base", "new"])
def test_an_edited_run_is_found(written: Path, tmp_path: Path, side: str) -> None:
    path = tmp_path / side / "sealed.jsonl"
    path.write_bytes(path.read_bytes().replace(b"x.alpha", b"x.gamma", 1))
    assert verify(written)


def test_a_ledger_that_grew_rewrites_no_comparison(written: Path, tmp_path: Path) -> None:
    disclose(tmp_path / "suite", ["c01"], who="keeper", why="shown to developers")
    assert load_suite(tmp_path / "suite").disclosed == {"c01"}
    assert verify(written) == []


def test_other_files_are_not_overwritten(plain: Bench) -> None:
    found = compare(plain.run("base", {}), plain.run("new", {}))
    (plain.root / "mine").mkdir()
    (plain.root / "mine/notes.txt").write_text("x")
    with pytest.raises(InputError, match="nothing that compare wrote"):
        found.write(plain.root / "mine")


def test_the_statement_names_every_input(written: Path) -> None:
    content = json.loads((written / "comparison.json").read_bytes())
    assert content["_type"] == "https://in-toto.io/Statement/v1"
    assert content["predicateType"] == "urn:denotary:comparison:1"
    names = {item["name"] for item in content["predicate"]["inputs"]}
    for side in ("base", "new"):
        assert {f"{side}: run/sealed.jsonl", f"{side}: suite/cases.jsonl", f"{side}: registry lock"} <= names
    assert {"policy", "waivers", "rows.jsonl", "comparisons.jsonl"} <= names
    assert {item["name"] for item in content["subject"]} >= {"base answers", "new answers", "policy"}
    told = content["predicate"]["prespecification"]
    assert told["design"].startswith("paired")
    assert told["families"]
    assert told["post_hoc"] > told["prespecified"] == 4


def test_waivers_are_kept_and_rebuilt(plain: Bench) -> None:
    base, new = plain.run("base", {}), plain.run("new", {"text 3": "x.beta"})
    waiver = Waiver(gate="critical_seeds", who="w", why="known", until="2031-02-01")
    found = compare(base, new, waivers=[waiver], today="2031-01-01")
    assert gate(found, "critical_seeds").verdict == "WAIVED"
    found.write(plain.root / "out")
    assert verify(plain.root / "out") == []


def test_what_certify_wrote_can_be_compared(plain: Bench) -> None:
    from denotary.certify import certify

    suite = load_suite(plain.root / "suite")
    for name in ("a", "b"):
        certify(systems.python(resolver({})), suite, "c1", plain.root / name, identity=IDENTITY, repeats=1)
    assert len(compare(plain.root / "a", str(plain.root / "b")).pairs) == 12


def test_cases_that_became_worse_come_first(plain: Bench) -> None:
    base = plain.run("base", {"text 5": "x.beta", "text 6": None, "text 7": "x.beta"})
    answers = {"text 1": "x.beta", "text 2": None, "text 6": "x.beta", "text 7": "x.gamma"}
    found = report(compare(base, plain.run("new", answers)))
    assert found.cases is not None
    state = {case.record_id: (case.change, case.before, case.outcome) for case in found.cases}
    assert state["c01"] == ("regressed", "right", "wrong")
    assert state["c02"] == ("regressed", "right", "refused_otherwise")
    assert state["c06"] == ("regressed", "refused_otherwise", "wrong")
    assert state["c07"] == ("changed", "wrong", "wrong")
    assert state["c05"] == ("improved", "wrong", "right")
    assert state["c00"] == ("unchanged", "right", "right")
    from denotary.reports.browser import failures_first

    assert [case.record_id for case in failures_first(found.cases)][:5] == ["c01", "c06", "c02", "c07", "c05"]


@pytest.mark.parametrize(
    ("before", "now", "alike", "want"),
    [
        ("right", "wrong", False, "regressed"),
        ("refused_rightly", "timeout", False, "regressed"),
        ("right", "refused_otherwise", False, "regressed"),
        ("refused_otherwise", "wrong", False, "regressed"),
        ("wrong", "refused_otherwise", False, "improved"),
        ("error", "right", False, "improved"),
        ("wrong", "wrong", False, "changed"),
        ("wrong", "error", True, "changed"),
        ("right", "right", True, "unchanged"),
        ("not_run", "not_run", True, "unchanged"),
    ],
)
def test_what_became_of_a_case(before: str, now: str, alike: bool, want: str) -> None:
    assert change(before, now, alike=alike) == want


def test_a_sealed_suite_shows_no_case_and_no_id(bench: Bench) -> None:
    bench.registry()
    hidden = {"visibility": "sealed"}
    sealed = [bench.case(f"record-{n:02}", text=f"text {chr(97 + n)}", security=hidden) for n in range(12)]
    bench.suite(sealed, role="sealed-certification")
    bench.suite(sealed[:-1], "later", role="sealed-certification", version="2.0.0")
    base = bench.run("base", {})
    found = compare(base, bench.run("new", {"text d": "x.beta"}, suite="later"))
    assert report(found).cases is None
    made = documents(found)
    for name in ("report.html", "summary.md", "junit.xml", "verdict.json"):
        assert b"record-11" not in made[name]
        assert b"record-03" not in made[name]
        assert b"text 3" not in made[name]
    # The statement names the records that could not be compared, and no answer and no text.
    assert b"record-11" in made["comparison.json"]
    assert not any(b"text 3" in content for content in made.values())
    assert "a sealed-certification corpus does not support policy regression" in found.verdict.qualification


def test_an_edited_suite_is_refused(plain: Bench) -> None:
    base, new = plain.run("base", {}), plain.run("new", {})
    cases = plain.root / "suite/cases.jsonl"
    cases.write_bytes(cases.read_bytes().replace(b"text 3", b"text 4"))
    with pytest.raises(IntegrityError):
        compare(base, new)


def keys(folder: Path, name: str) -> tuple[Path, Path]:
    """Write both halves of a fresh key."""
    key = ed25519.Ed25519PrivateKey.generate()
    private, public = folder / f"{name}.pem", folder / f"{name}.pub.pem"
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return private, public


def test_a_signed_comparison_is_verified_with_the_public_key(plain: Bench) -> None:
    (private, public), (_, theirs) = keys(plain.root, "ours"), keys(plain.root, "theirs")
    out = plain.root / "signed"
    compare(plain.run("base", {}), plain.run("new", {})).write(out, sign=private)
    envelope = json.loads((out / "comparison.dsse.json").read_bytes())
    assert base64.b64decode(envelope["payload"]) == (out / "comparison.json").read_bytes()
    assert verify(out) == verify(out, key=public) == []
    (told,) = verify(out, key=theirs)
    assert told.startswith("comparison.dsse.json: is not signed with the key ")
    (out / "comparison.dsse.json").unlink()
    (told,) = verify(out, key=public)
    assert told.startswith("comparison.dsse.json: is missing")

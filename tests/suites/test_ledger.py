"""The ledger: a chain that shows an edit, a move and a removal, and rules that hold for each kind of entry."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denotary.canonical import canonical_json, digest, sha256
from denotary.errors import InputError, IntegrityError
from denotary.files import encode_jsonl, write_atomic
from denotary.suites import freeze, load_suite
from denotary.suites.board import ROLES, board_problem, member
from denotary.suites.ledger import append, draft, entry_problem, head, read_ledger
from denotary.suites.ledger_checking import beginning, verify_ledger
from denotary.suites.records import BoardMember

OWNER = BoardMember(who="owner-1", role="registry-owner")
REVIEWER = BoardMember(who="reviewer-3", role="independent")
GOLD = {"disposition": "SINGLE", "acceptable_concept_codes": ["x.beta"]}


def shown(record: str) -> Any:
    return draft(kind="disclosure", what="content", who="role", why="why", record=record)


def corrected(**parts: Any) -> Any:
    usual = {"what": "record", "record": "c1", "old": {"gold": {}}, "new": {"gold": GOLD}}
    return draft(kind="correction", who="secretary", why="read again", **usual | parts)


def lines_of(root: Path, count: int = 3) -> list[str]:
    append(root, *(shown(f"c{number}") for number in range(count)))
    return (root / "ledger.jsonl").read_text().splitlines()


def test_the_ledger_is_a_chain(tmp_path: Path) -> None:
    for number in range(3):
        append(tmp_path, shown(f"c{number}"))
    ledger = read_ledger(tmp_path)
    assert [entry.sequence for entry in ledger] == [0, 1, 2]
    assert ledger[0].previous == "0" * 64
    assert [entry.previous for entry in ledger[1:]] == [digest(entry) for entry in ledger[:-1]]
    assert head(ledger) == digest(ledger[-1])
    assert head(()) == "0" * 64


def test_many_entries_at_once_are_the_same_as_one_by_one(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for number in range(3):
        append(one, shown(f"c{number}"))
    append(other, *(shown(f"c{number}") for number in range(3)))
    assert (one / "ledger.jsonl").read_bytes() == (other / "ledger.jsonl").read_bytes()


def test_the_chain_is_what_its_description_says(tmp_path: Path) -> None:
    # Rebuilt from the bytes of the file alone: SHA-256 of the line before, without its line feed.
    lines = lines_of(tmp_path)
    previous = ["0" * 64, *(sha256(line.encode()) for line in lines[:-1])]
    assert [json.loads(line)["previous"] for line in lines] == previous


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(order=st.permutations(range(4)), kept=st.integers(1, 4))
def test_whatever_is_moved_or_taken_from_the_middle_is_found(
    tmp_path: Path, order: list[int], kept: int
) -> None:
    root = tmp_path / "-".join(map(str, [*order, kept]))
    lines = lines_of(root, 4)
    left = [lines[n] for n in order[:kept]]
    (root / "ledger.jsonl").write_text("".join(f"{line}\n" for line in left))
    if left == lines[:kept]:
        assert len(read_ledger(root)) == kept
    else:
        with pytest.raises(IntegrityError, match="the chain is broken"):
            read_ledger(root)


@pytest.mark.parametrize("position", range(3))
@pytest.mark.parametrize("field", ["who", "why", "record", "kind", "what"])
def test_whatever_is_edited_is_found_if_an_entry_follows(tmp_path: Path, position: int, field: str) -> None:
    lines = lines_of(tmp_path)
    entry = json.loads(lines[position])
    entry[field] = "freeze" if field == "kind" else "other"
    lines[position] = canonical_json(entry).decode()
    (tmp_path / "ledger.jsonl").write_text("".join(f"{line}\n" for line in lines))
    if position == 2:
        # Nothing in the chain vouches for its last entry: that is what a published head is for.
        assert len(read_ledger(tmp_path)) == 3
    else:
        with pytest.raises(IntegrityError, match="the chain is broken"):
            read_ledger(tmp_path)


def test_a_repeated_entry_is_refused(tmp_path: Path) -> None:
    lines = lines_of(tmp_path)
    (tmp_path / "ledger.jsonl").write_text("".join(f"{line}\n" for line in [lines[0], *lines]))
    with pytest.raises(IntegrityError, match="the chain is broken"):
        read_ledger(tmp_path)


def test_a_freeze_that_names_no_version_is_refused(tmp_path: Path) -> None:
    broken = draft(kind="freeze", what="suite", who="role", why="why", new={"version": "one"})
    with pytest.raises(IntegrityError, match="must name version and hash"):
        append(tmp_path, broken)
    write_atomic(tmp_path / "ledger.jsonl", encode_jsonl([_first(broken)]))
    with pytest.raises(IntegrityError, match=r"ledger.jsonl:1: .*must name version and hash"):
        read_ledger(tmp_path)


@pytest.mark.parametrize("line", [b"[]", b'{"old": ' + b"[" * 100_000, b"\xff", b'{"sequence": 0}'])
def test_a_line_that_is_no_entry_is_refused(tmp_path: Path, line: bytes) -> None:
    write_atomic(tmp_path / "ledger.jsonl", line + b"\n")
    with pytest.raises(InputError):
        read_ledger(tmp_path)


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ({"cause": "E29", "board": (REVIEWER,)}, None),
        ({"cause": "E30", "board": (OWNER, REVIEWER)}, None),
        ({"board": (REVIEWER,)}, "must name its cause"),
        ({"cause": "rights", "board": (REVIEWER,)}, "must name its cause, one of E29, E30, E31"),
        ({"cause": "E29"}, "names no board member"),
        ({"cause": "E29", "board": (OWNER,)}, "by the owner of the registry alone"),
        ({"new": {"input": {"sha256": "0"}}}, "must name its cause"),
        ({"new": {"annotation": {}}}, "must name its cause"),
        ({"new": {"construction.tags": []}}, "must name its cause"),
        ({"new": {"semantic_seed_id": "s"}, "cause": "E29"}, "names no board member"),
        ({"new": {"annotation.rationale": {}}}, None),
        ({"new": {"construction.source_document": "d", "lineage": []}}, None),
        ({"what": "withdrawal", "new": None, "cause": "rights", "board": (REVIEWER,)}, None),
        ({"what": "withdrawal", "new": None, "board": (REVIEWER,)}, "withdrawal must name its cause"),
        ({"what": "withdrawal", "new": None, "cause": "E31", "board": (OWNER,)}, "withdrawal was decided by"),
    ],
)
def test_gold_leaves_through_a_cause_and_a_board(
    tmp_path: Path, parts: dict[str, Any], problem: str | None
) -> None:
    entry = corrected(**parts)
    if problem is None:
        assert entry_problem(entry) is None
        append(tmp_path, entry)
        assert len(read_ledger(tmp_path)) == 1
        return
    with pytest.raises(IntegrityError, match=problem):
        append(tmp_path, entry)
    assert not (tmp_path / "ledger.jsonl").exists()
    # Written past the tool, it is refused at every load.
    write_atomic(tmp_path / "ledger.jsonl", encode_jsonl([_first(entry)]))
    with pytest.raises(IntegrityError, match=problem):
        read_ledger(tmp_path)


def test_entries_of_several_threads_are_all_kept(tmp_path: Path) -> None:
    from threading import Thread

    threads = [
        Thread(target=lambda n=n: [append(tmp_path, shown(f"c{n}-{k}")) for k in range(5)]) for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = {f"c{n}-{k}" for n in range(4) for k in range(5)}
    assert {entry.record for entry in read_ledger(tmp_path)} == expected


def _first(entry: Any) -> Any:
    return msgspec.structs.replace(entry, sequence=0, previous="0" * 64)


MEMBERS = st.lists(
    st.builds(BoardMember, who=st.sampled_from(["p1", "p2", "p3"]), role=st.sampled_from(ROLES)), max_size=4
)


@given(MEMBERS)
def test_the_owner_never_rules_alone_under_whatever_hat(board: list[BoardMember]) -> None:
    # By enumeration: somebody must sit on the board who holds the owner's role in none of their entries.
    others = [
        who
        for who, group in itertools.groupby(sorted(board, key=lambda m: m.who), key=lambda m: m.who)
        if not any(item.role == "registry-owner" for item in group)
    ]
    assert (board_problem(board) is None) == bool(others)


def test_a_member_is_a_pseudonym_and_a_role() -> None:
    assert member("reviewer-3:independent") == REVIEWER
    assert member("a:b:security") == BoardMember(who="a:b", role="security")
    for wrong in ("independent", ":independent", "reviewer-3:king", "reviewer-3"):
        with pytest.raises(InputError, match="names no member of the board"):
            member(wrong)
    with pytest.raises(InputError):
        msgspec_problem(BoardMember(who=" ", role="independent"))


def msgspec_problem(item: BoardMember) -> None:
    problem = board_problem([item])
    if problem:
        raise InputError(problem)


def test_the_beginning_of_a_ledger_is_found_by_its_digest(tmp_path: Path) -> None:
    lines_of(tmp_path)
    ledger = read_ledger(tmp_path)
    for count in range(4):
        assert beginning(ledger, sha256(encode_jsonl(ledger[:count]))) == ledger[:count]
    assert beginning(ledger, sha256(encode_jsonl(ledger[1:]))) is None


def test_a_ledger_that_was_cut_off_is_found_by_lock_and_head(frozen: Path) -> None:
    path = frozen / "ledger.jsonl"
    before = path.read_text().splitlines(keepends=True)
    append(frozen, shown("c1"))
    published = head(read_ledger(frozen))
    assert len(verify_ledger(frozen, heads=[published, f"sha256:{published}"])) == 3
    path.write_text("".join(before))
    assert len(verify_ledger(frozen)) == 2
    with pytest.raises(IntegrityError, match=f"the head '{published}' is not in it"):
        verify_ledger(frozen, heads=[published])
    path.write_text(before[0])
    with pytest.raises(IntegrityError, match=r"freeze of version 1\.0\.0 is not the last one"):
        verify_ledger(frozen)
    path.unlink()
    with pytest.raises(IntegrityError, match=r"freeze of version 1\.0\.0 is not the last one"):
        verify_ledger(frozen)


def test_a_certificate_holds_the_ledger_it_was_made_with(frozen: Path, tmp_path: Path) -> None:
    now = sha256(encode_jsonl(load_suite(frozen).ledger))
    out = tmp_path / "out"
    out.mkdir()
    inputs = [{"name": "suite/ledger.jsonl", "sha256": now}]
    (out / "certificate.json").write_bytes(canonical_json({"predicate": {"inputs": inputs}}))
    append(frozen, shown("c1"))
    assert len(verify_ledger(frozen, certificates=[out, out / "certificate.json"])) == 3
    inputs[0]["sha256"] = "0" * 64
    (out / "certificate.json").write_bytes(canonical_json({"predicate": {"inputs": inputs}}))
    with pytest.raises(IntegrityError, match=r"the ledger that out names"):
        verify_ledger(frozen, certificates=[out])
    (out / "certificate.json").write_bytes(b"{}")
    with pytest.raises(InputError, match="not a certificate"):
        verify_ledger(frozen, certificates=[out])


@pytest.mark.parametrize("board", [[], [{"who": "owner-1", "role": "registry-owner"}]])
def test_an_adjudication_by_the_owner_alone_is_an_error(
    make_suite: Callable[..., Path], case: Callable[..., Any], board: list[Any]
) -> None:
    folder = make_suite([case("c1", annotation={"adjudicated_by": board})])
    if board:
        with pytest.raises(InputError, match="error adjudication: the adjudication was decided by the owner"):
            freeze(folder)
    else:
        freeze(folder)

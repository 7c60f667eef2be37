"""Corpora: building, loading, users' files, and the manipulation check against sums written out."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from denotary.errors import InputError, IntegrityError
from denotary.files import encode_jsonl
from denotary.instruments.similarity import manipulation
from denotary.instruments.similarity.anchors import CELLS, Anchor
from denotary.instruments.similarity.building import Source, build, write_corpus
from denotary.instruments.similarity.corpus import Corpus, load_corpus
from denotary.instruments.similarity.corpus_records import SecondReading
from denotary.instruments.similarity.manipulation import checks, require
from denotary.instruments.similarity.overlap import overlap
from denotary.instruments.similarity.pairs import Pairs, of_anchors
from denotary.instruments.similarity.reading import NamedVote, Reading, Written

WORDS = [f"w{i}" for i in range(400)]


def anchor(number: int, *, lean: int = 0, task: str = "distinctness") -> Anchor:
    """An anchor of ten words; close cells share nine (the opposite one ``lean`` fewer), distant ones one."""
    base = [f"{task[0]}{number}x{i}" for i in range(10)]

    def cell(kept: int, mark: str) -> str:
        return " ".join([*base[:kept], *(f"{mark}{number}y{i}" for i in range(10 - kept))])

    return Anchor(
        anchor=f"{task}-{number}",
        task=task,  # type: ignore[arg-type]
        register="legal",
        mutation="scope",
        text=" ".join(base),
        same_close=cell(9, "sc"),
        same_distant=cell(1, "sd"),
        opposite_close=cell(9 - lean, "oc"),
        opposite_distant=cell(1, "od"),
    )


def readings(anchors: list[Anchor], source: str = "A", vote: str | None = None) -> list[Reading]:
    found = []
    for item in anchors:
        for decision, pole in CELLS:
            pair = Written(item, source, decision, pole)
            given = (NamedVote(id=pair.id, judge="j", vote=vote or decision, confidence=1.0),)  # type: ignore[arg-type]
            found.append(Reading(pair, given))
    return found


SOURCES = {name: Source(name, "generated-model", f"write half {name}") for name in "AB"}


def test_a_corpus_is_written_and_read_back(tmp_path: Path) -> None:
    given = readings([anchor(i) for i in range(5)]) + readings([anchor(i + 5) for i in range(4)], "B")
    built = build(given, SOURCES)
    write_corpus(tmp_path, built, SOURCES.values(), name="own", version="1.0.0", notes=["illustrative"])
    corpus = load_corpus(tmp_path)
    assert corpus.name == "own 1.0.0"
    assert len(corpus.pairs) == 36
    assert corpus.second_reading == SecondReading(anchors=9, disputed=0, pairs=36, disputed_pairs=0)
    assert len(corpus.half("B").pairs) == 16
    with pytest.raises(InputError, match="no half 'C'"):
        corpus.half("C")
    assert np.all((corpus.pairs.overlap > 0.8) == corpus.pairs.close)


def test_an_edited_corpus_is_refused(tmp_path: Path) -> None:
    write_corpus(
        tmp_path, build(readings([anchor(1)]), SOURCES), [SOURCES["A"]], name="own", version="1.0.0", notes=[]
    )
    (tmp_path / "anchors-a.jsonl").write_text("")
    with pytest.raises(IntegrityError, match=r"anchors-a\.jsonl"):
        load_corpus(tmp_path)


def test_a_vote_that_differs_makes_the_anchor_fall() -> None:
    given = readings([anchor(1), anchor(2)])
    bad = replace(given[2], votes=(NamedVote(id="x", judge="j", vote="same", confidence=0.7),))
    built = build([*given[:2], bad, *given[3:]], SOURCES)
    assert [item.anchor for item in built.kept] == ["distinctness-2"]
    assert [(item.cause, item.detail) for item in built.rejected] == [
        ("second_reading", "a vote differs: opposite_close")
    ]
    assert built.rejected[0].second_reading["opposite_close"].result == "disputed"


def test_an_anchor_with_an_unread_pair_stays_out_but_is_not_disputed() -> None:
    given = readings([anchor(1), anchor(2)])
    built = build([replace(given[0], votes=()), *given[1:]], SOURCES)
    assert [item.anchor for item in built.kept] == ["distinctness-2"]
    assert [(item.cause, item.detail) for item in built.rejected] == [("unread", "no vote yet: same_close")]
    assert built.rejected[0].second_reading["same_close"].result == "unread"


def test_overlap_off_its_pole_and_repeated_texts_fall() -> None:
    built = build(readings([anchor(1), anchor(1), anchor(2, lean=3)]), SOURCES)
    assert [item.cause for item in built.rejected] == ["duplicate", "overlap"]


def test_leaning_anchors_are_taken_out_until_overlap_balances() -> None:
    # Sharing 9 of 11 words against 8 of 12 leans by 0.15, beyond what one anchor may: use longer texts instead.
    many = [_long(i, lean=1 if i < 30 else 0) for i in range(60)]
    built = build(readings(many), SOURCES)
    assert 0 < len(built.rejected) <= 30
    assert {item.cause for item in built.rejected} == {"balance"}
    assert all(check.holds for check in checks(of_anchors((a, a.half) for a in built.kept)))


def _long(number: int, *, lean: int) -> Anchor:
    base = [f"l{number}x{i}" for i in range(20)]

    def cell(kept: int, mark: str) -> str:
        return " ".join([*base[:kept], *(f"{mark}{number}y{i}" for i in range(20 - kept))])

    texts = {"same_close": cell(17, "a"), "opposite_close": cell(17 - lean, "b")}
    return Anchor(
        anchor=f"l{number}", task="constraint", register="finance", mutation="negation", text=" ".join(base),
        same_distant=cell(2, "c"), opposite_distant=cell(2, "d"), **texts,
    )  # fmt: skip


def test_the_check_says_what_the_sums_say() -> None:
    anchors = [_long(i, lean=i % 3) for i in range(12)]
    check = checks(of_anchors((a, "") for a in anchors))[0]
    expected = np.mean([overlap(a.text, a.same_close) - overlap(a.text, a.opposite_close) for a in anchors])
    assert check.balance[0].difference.value == pytest.approx(expected)
    assert check.balance[1].difference.value == 0
    assert check.coupling.value == pytest.approx(expected / 2)
    assert check.balance[0].difference.low < expected < check.balance[0].difference.high
    assert check.balance[0].p < 0.02
    assert check.balance[1].p == 1
    assert not check.holds
    with pytest.raises(InputError, match=r"manipulation check fails.*close pairs"):
        require(of_anchors((a, "") for a in anchors))


def test_permutation_p_against_enumeration() -> None:
    anchors = [_long(i, lean=[0, 1, 2, 0, 1, 3][i]) for i in range(6)]
    differences = np.array(
        [overlap(a.text, a.same_close) - overlap(a.text, a.opposite_close) for a in anchors]
    )
    signs = np.array(np.meshgrid(*[[-1, 1]] * 6)).reshape(6, -1).T
    exact = np.mean(np.abs(signs @ differences) >= differences.sum() - 1e-12)
    assert checks(of_anchors((a, "") for a in anchors))[0].balance[0].p == pytest.approx(exact, abs=0.02)


def test_permutation_p_does_not_depend_on_how_many_signs_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = of_anchors((_long(i, lean=[0, 1, 2, 0, 1, 3][i]), "") for i in range(6))
    whole = [item.balance[0].p for item in checks(pairs)]
    monkeypatch.setattr(manipulation, "SIGNS", 77)
    assert [item.balance[0].p for item in checks(pairs)] == whole


def test_natural_pairs_are_measured_and_refused(tmp_path: Path) -> None:
    lines = ["text1,text2,decision,anchor"]
    for i in range(20):
        lines.append(f"take {WORDS[i]} daily now,do not take {WORDS[i]} daily now,opposite,{i}")
        lines.append(f"take {WORDS[i]} daily now,{WORDS[i]} is to be swallowed each morning,same,{i}")
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(lines))
    corpus = load_corpus(path)
    assert len(corpus.pairs) == 40
    check = checks(corpus.pairs)[0]
    assert check.coupling.high < 0
    with pytest.raises(InputError, match="manipulation check fails"):
        require(corpus.pairs)


def test_users_pairs_as_json_lines_and_anchors(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"text1": "a b", "text2": "a b c", "decision": "same"}\n\n')
    pairs = load_corpus(path).pairs
    assert (pairs.anchor[0][:5], pairs.task[0], bool(pairs.close[0])) == ("text-", "pairs", True)
    path.write_bytes(encode_jsonl([anchor(1)]))
    assert len(load_corpus(path).pairs) == 4


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", "text1,text2\na,b\n", "x.csv:2.*no column decision"),
        ("x.csv", "secret,b,same\na,b,same\n", "x.csv:2.*no column text1 and none text2 and none decision"),
        (
            "x.csv",
            "text1,text2,decision\na,b,same\na,b,secret\n",
            "x.csv:3.*column decision must hold same or opp",
        ),
        (
            "x.csv",
            "text1,text2,decision,pole\na,b,same,secret\n",
            "x.csv:2.*column pole must hold close or distant",
        ),
        ("x.csv", "text1,text2,decision\nsecret,,same\n", "x.csv:2.*nothing stands in the column text2"),
        ("x.csv", "text1,text2,decision\nsecret,b\n", "x.csv:2.*nothing stands in the column decision"),
        (
            "x.csv",
            "text1,text2,decision\na,b,same,secret\n",
            "x.csv:2.*more cells than the header has columns .3.",
        ),
        ("x.csv", "text1,text2,decision,secret\na,b,same,x\n", "x.csv:2.*1 column is not known: number 4"),
        ("x.csv", "text1,text2,decision,text2\na,b,same,secret\n", "x.csv:1.*a column twice: number 4"),
        ("x.csv", b"\xff\xfe\x00", "not UTF-8 at byte 0"),
        ("x.jsonl", '{"text1": "secret", "decision": "same"}', "x.jsonl:1"),
        ("x.jsonl", "", "holds no pair"),
    ],
)
def test_a_users_mistake_names_file_and_line_and_quotes_nothing(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=message) as caught:
        load_corpus(path)
    assert "secret" not in str(caught.value)


def _rows_of(numbers: range, **more: object) -> list[dict[str, object]]:
    return [
        {
            "text1": made.text,
            "text2": made.cell(decision, pole),
            "decision": decision,
            "pole": pole,
            "anchor": made.anchor,
        }
        | more
        for made in map(anchor, numbers)
        for decision, pole in CELLS
    ]


def test_pairs_without_a_half_are_checked_beside_those_with_one(tmp_path: Path) -> None:
    leaning = [
        row | {"text2": "other words"}
        for row in _rows_of(range(20, 40))
        if row["decision"] == "opposite" and row["pole"] == "close"
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(encode_jsonl([*_rows_of(range(20), half="A"), *_rows_of(range(20, 40))[:1], *leaning]))
    found = checks(load_corpus(path).pairs)
    assert [item.half for item in found] == ["", "A"]
    assert [item.holds for item in found] == [False, True]


def test_a_blank_task_is_none_that_escapes_the_check(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(encode_jsonl(_rows_of(range(3), task="")))
    assert [item.task for item in checks(load_corpus(path).pairs)] == ["pairs"]


@pytest.mark.parametrize(
    ("more", "note"),
    [
        (
            [row | {"anchor": "other"} for row in _rows_of(range(1))],
            "4 pairs stand under more than one anchor",
        ),
        ([row | {"decision": "same"} for row in _rows_of(range(1))], "2 pairs stand with both decisions"),
        ([_rows_of(range(1))[0] | {"half": "B"}], "1 anchor stands in more than one half"),
        ([], None),
    ],
)
def test_what_is_less_evidence_than_it_seems_is_noted(
    tmp_path: Path, more: list[dict[str, object]], note: str | None
) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(encode_jsonl([*_rows_of(range(3)), *more]))
    notes = load_corpus(path).notes
    assert [found for found in notes if note and found.startswith(note)] == list(notes)
    assert len(notes) == (note is not None)


def test_no_text_shows_in_a_repr() -> None:
    pairs = of_anchors([(anchor(1), "A")])
    assert "x1" not in repr(pairs) + repr(anchor(1))


def test_balance_cannot_be_told_from_a_few_anchors(corpus_of: Callable[[int], Corpus]) -> None:
    with pytest.raises(InputError, match="constraint half A: 2 anchors; balance can be told from 10 on"):
        require(corpus_of(2).pairs)
    assert all(check.holds for check in require(corpus_of(10).pairs))


def test_anchors_copied_under_other_names_are_no_further_evidence(corpus_of: Callable[[int], Corpus]) -> None:
    pairs = corpus_of(10).pairs
    copy = replace(
        pairs, anchor=pairs.anchor + "-again", first=np.array([f"{text}!" for text in pairs.first])
    )
    both = Pairs(*(np.concatenate([getattr(part, f.name) for part in (pairs, copy)]) for f in fields(Pairs)))
    message = f"{len(pairs)} pairs under a second anchor, first of .* and .*-again"
    with pytest.raises(InputError, match=message):
        require(both)


def test_pairs_of_one_first_text_share_an_anchor_if_they_name_none(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(
        "text1,text2,decision,task\na b,a c,same,t\na b,a d,opposite,t\na b,a,same,u\nb,a,same,t\n"
    )
    anchor = load_corpus(path).pairs.anchor
    assert anchor[0] == anchor[1]
    assert len(set(anchor)) == 3

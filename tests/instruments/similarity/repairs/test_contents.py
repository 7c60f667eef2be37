"""What a repair was fitted on is known by its pairs, whatever file they stand in."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from denotary.canonical import canonical_json, sha256
from denotary.errors import InputError, IntegrityError
from denotary.instruments.similarity.configurations import Configuration
from denotary.instruments.similarity.corpus import Corpus
from denotary.instruments.similarity.pairs import OnePair, columns
from denotary.instruments.similarity.repairs import planned as opening
from denotary.instruments.similarity.repairs.base import Frozen
from denotary.instruments.similarity.repairs.contents import pair_hashes, require_role
from denotary.instruments.similarity.repairs.fitting import read_record, write_frozen
from denotary.instruments.similarity.repairs.foreign import scone
from denotary.instruments.similarity.repairs.judging import run
from denotary.instruments.similarity.repairs.plans import lock_path, register, registered
from denotary.instruments.similarity.repairs.records import FittedRepair, PlannedCorpus, Role
from denotary.instruments.similarity.repairs.simple import Encoder

OTHERS: tuple[Role, ...] = ("held-out half", "other author")


def named(role: Role) -> PlannedCorpus:
    return PlannedCorpus(name="theirs", source="theirs.jsonl", role=role)


def copy(half: Corpus) -> Corpus:
    """The same pairs in another file: turned round, in capitals, without their full stops."""
    pairs = half.pairs
    first, second = (np.array([f" {text.upper()}." for text in of]) for of in (pairs.second, pairs.first))
    blank = np.array([""] * len(pairs))
    return Corpus("copy.csv", "f" * 64, replace(pairs, first=first, second=second, half=blank))


@pytest.mark.parametrize("role", OTHERS)
def test_a_copy_of_the_fitted_pairs_in_another_file_is_not_held_out(
    frozen: Frozen, halves: Corpus, role: Role
) -> None:
    with pytest.raises(IntegrityError, match="fitted on 96 of the 96 pairs of the corpus theirs") as caught:
        require_role(frozen.record, named(role), copy(halves.half("A")))
    assert "otter" not in str(caught.value)
    require_role(frozen.record, named(role), copy(halves.half("B")))


def test_one_fitted_pair_among_others_is_counted(frozen: Frozen, halves: Corpus) -> None:
    taken = (halves.pairs.half == "B") | (np.arange(len(halves.pairs)) == 0)
    mixed = copy(replace(halves, pairs=halves.pairs.where(taken)))
    with pytest.raises(IntegrityError, match="fitted on 1 of the 97 pairs"):
        require_role(frozen.record, named("other author"), mixed)


def test_in_sample_are_just_the_fitted_pairs(frozen: Frozen, halves: Corpus) -> None:
    require_role(frozen.record, named("in-sample"), copy(halves.half("A")))
    part = halves.half("A").pairs
    for other, message in (
        (halves.half("B"), "not fitted on 96 of its 96 pairs, and on 96 that"),
        (halves, "not fitted on 96 of its 192 pairs, and on 0 that"),
        (
            replace(halves, pairs=part.where(np.arange(96) > 0)),
            "not fitted on 0 of its 95 pairs, and on 1 that",
        ),
    ):
        with pytest.raises(IntegrityError, match=message):
            require_role(frozen.record, named("in-sample"), other)


def test_a_hash_is_of_two_texts_in_either_order() -> None:
    def hashes(*texts: tuple[str, str]) -> list[str]:
        made = OnePair("a", "t", "", "", "", same=True, close=True, first="", second="", overlap=0.0)
        return pair_hashes(columns([replace(made, first=one, second=two) for one, two in texts]))

    one, turned, other, punctuation, none = hashes(
        ("Open it", "Shut it"), ("shut it!", "open  it"), ("Open it", "Open it"), ("?", "!"), ("!", "!")
    )
    assert one == turned
    assert len({one, other, punctuation, none}) == 4
    assert one == sha256(b'["open it","shut it"]')[:16]


def old(frozen: Frozen) -> FittedRepair:
    """A record as an earlier version wrote it, from its bytes."""
    content = json.loads(canonical_json(frozen.record))
    del content["fitted_on"]["pair_hashes"]
    return msgspec.json.decode(json.dumps(content), type=FittedRepair)


@pytest.mark.usefixtures("opened")
def test_of_an_old_record_file_and_half_are_compared_and_the_report_says_so(
    plan: Path, frozen: Frozen, halves: Corpus
) -> None:
    record = old(frozen)
    content = json.loads(canonical_json(record))
    assert set(content["fitted_on"]) == {"corpus", "corpus_sha256", "halves", "pairs", "anchors"}
    earlier = Frozen(record, frozen.score)
    plan.write_text(plan.read_text().replace(frozen.digest, earlier.digest))
    register(plan)
    assert run(*registered(plan), [earlier]).unknown_fits == (record.name,)
    with pytest.raises(IntegrityError, match="fitted on pairs of the corpus theirs"):
        require_role(record, named("other author"), halves.half("A"))
    require_role(record, named("other author"), copy(halves.half("A")))


@pytest.mark.usefixtures("opened")
def test_a_fit_edited_by_hand_is_not_the_one_that_was_planned(
    plan: Path, frozen: Frozen, wording: Configuration, tmp_path: Path
) -> None:
    register(plan)
    assert run(*registered(plan), [frozen]).unknown_fits == ()
    path = tmp_path / "gate.json"
    write_frozen(frozen, path)
    for key, value in (("pair_hashes", []), ("halves", ["C"]), ("corpus_sha256", "e" * 64)):
        content = json.loads(path.read_text())
        content["fitted_on"][key] = value
        edited = tmp_path / "edited.json"
        edited.write_text(json.dumps(content))
        with pytest.raises(InputError, match="not the repairs that were planned"):
            run(*registered(plan), [Encoder(wording).load(read_record(edited))])


@pytest.mark.usefixtures("opened")
def test_pairs_are_pinned_as_they_are_read(plan: Path, frozen: Frozen, halves: Corpus) -> None:
    text, theirs = plan.read_text(), halves.half("B").pairs
    plan.write_text(text.replace('half = "B"', f'half = "B"\npairs_sha256 = "{theirs.digest}"'))
    register(plan)
    report = run(*registered(plan), [frozen])
    assert [row.pairs_sha256 for row in report.corpora] == [halves.half("A").pairs.digest, theirs.digest]
    lock_path(plan).unlink()
    other = theirs.where(np.arange(96) > 0).digest
    plan.write_text(text.replace('half = "B"', f'half = "B"\npairs_sha256 = "{other}"'))
    register(plan)
    with pytest.raises(IntegrityError, match=f"its SHA-256 of pairs is {theirs.digest}"):
        run(*registered(plan), [frozen])


def test_another_reader_of_the_same_files_gives_another_digest_of_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "scone_nli" / "test"
    folder.mkdir(parents=True)
    (folder / "edited.csv").write_text(
        "sentence1,sentence2,gold_label,gold_label_edited,sentence1_edited,sentence2_edited\n"
        "x,y,entailment,neutral,It rains,It snows\n"
    )
    right = scone(tmp_path)
    wrong = replace(right, pairs=replace(right.pairs, first=np.array(["x"], dtype=object)))
    assert (right.digest, right.pairs.digest == wrong.pairs.digest) == (wrong.digest, False)
    planned = PlannedCorpus(
        name="scone", source=f"scone:{tmp_path}", role="other author", pairs_sha256=right.pairs.digest
    )
    assert opening.open_corpus(planned).pairs.digest == right.pairs.digest
    monkeypatch.setattr(opening, "scone", lambda _folder: wrong)
    with pytest.raises(IntegrityError, match="scone is not the one that was planned"):
        opening.open_corpus(planned)

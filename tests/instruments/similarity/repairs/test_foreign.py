"""Other authors' corpora: columns, labels, units; on the real files where they are."""

import os
from pathlib import Path

import pytest

from denotary.errors import InputError
from denotary.instruments.similarity.repairs.foreign import negation_nli, scone

DATA = os.environ.get("DENOTARY_DATA")
real = pytest.mark.skipif(not DATA, reason="needs DENOTARY_DATA")


def test_labels_units_and_strata(tmp_path: Path) -> None:
    folder = tmp_path / "scone_nli" / "test"
    folder.mkdir(parents=True)
    (folder / "plain.csv").write_text(
        "sentence1,sentence2,gold_label\nA dog barks,A dog barks,entailment\nA dog barks,No cat sings here,neutral\n"
    )
    (folder / "edited.csv").write_text(
        "sentence1,sentence2,gold_label,gold_label_edited,sentence1_edited,sentence2_edited\n"
        "x,y,entailment,neutral,It rains,It snows\n"
    )
    pairs = scone(tmp_path).pairs
    assert dict(zip(pairs.second, pairs.same, strict=True)) == {
        "It snows": False,
        "A dog barks": True,
        "No cat sings here": False,
    }
    assert pairs.values("mutation") == ("edited", "plain")
    assert list(pairs.close) == [False, True, False]
    (tmp_path / "MNLI.txt").write_text(
        "index\tText\tHypothesis\tgold_label\n" + "".join(f'{i}\ta "b\tc\tcontradiction\n' for i in range(6))
    )
    found = negation_nli(tmp_path).pairs
    assert list(found.anchor) == ["MNLI-0"] * 3 + ["MNLI-1"] * 3
    assert not found.same.any()


def test_another_file_is_refused_without_a_word_of_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file of scone"):
        scone(tmp_path)
    (tmp_path / "RTE.txt").write_text("a\tb\nsecret\tword\n")
    with pytest.raises(InputError) as caught:
        negation_nli(tmp_path)
    assert "secret" not in str(caught.value)


@real
def test_the_real_files() -> None:
    assert DATA
    found = scone(Path(DATA) / "scone").pairs
    assert (len(found), int(found.same.sum()), len(set(found.anchor))) == (1200, 600, 200)
    other = negation_nli(Path(DATA) / "negation_nli").pairs
    assert (len(other), int(other.same.sum()), len(set(other.anchor))) == (4500, 372 + 316 + 248, 1500)

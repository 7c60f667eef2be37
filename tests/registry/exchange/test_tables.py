"""CSV and JSON Lines in."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any

import pytest

from denotary import files
from denotary.errors import InputError
from denotary.registry import Registry, lint, load_registry
from denotary.registry.exchange import writing
from denotary.registry.exchange.gathering import Defaults, main_script
from denotary.registry.exchange.tables import read_csv, read_jsonl
from denotary.registry.exchange.writing import import_into, new_registry
from denotary.registry.records import RegistryHeader

CSV = """code,text,language,definition,parents,owner,remark
a,alpha,en,The first.,,team,x
a,Alpha,de,,,,
a,alpha,en,Another first.,,other,
b,"beta, the second",en,The second.,a|missing,,
,nothing,en,,,,
c,gamma,123!,The third.,,,
"""


def write(tmp_path: Path, name: str, content: str) -> Path:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return path


def test_rows_become_concepts_and_unreviewed_texts(tmp_path: Path) -> None:
    found = read_csv(write(tmp_path, "t.csv", CSV), Defaults(tier="C2"))
    assert [(item.code, item.definitions, item.parents, item.owner, item.consequence_tier, item.source)
            for item in found.concepts] == [
        ("a", {"en": "The first."}, (), "team", "C2", "t.csv:2"),
        ("b", {"en": "The second."}, ("a",), "unassigned", "C2", "t.csv:5"),
        ("c", {}, (), "unassigned", "C2", "t.csv:7"),
    ]  # fmt: skip
    assert [
        (item.codes, item.text, item.language, item.source, item.review.status) for item in found.expressions
    ] == [
        (("a",), "Alpha", "de", "t.csv:3", "unreviewed"),
        (("a",), "alpha", "en", "t.csv:2", "unreviewed"),
        (("b",), "beta, the second", "en", "t.csv:5", "unreviewed"),
    ]
    assert {(item.what, item.why): item.count for item in found.skipped} == {
        ("column remark", "no field takes it"): 1,
        ("concept", "its code is blank, not printable, or longer than 256"): 1,
        ("definition", "its language is no well-formed BCP 47 tag"): 1,
        ("definition", "the concept has another one in this language already"): 1,
        ("owner", "the concept has another one already"): 1,
        ("parent", "it is no concept of this source"): 1,
        ("text", "its language is no well-formed BCP 47 tag"): 1,
        ("text", "the same text, language and concept again"): 1,
    }


def test_columns_are_mapped_and_the_delimiter_is_free(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", "\ufeffID;Label\nx:1;one\n")
    found = read_csv(path, Defaults(prefix="x:"), columns={"code": "ID", "text": "Label"}, delimiter=";")
    assert [(item.codes, item.text, item.language) for item in found.expressions] == [(("1",), "one", "und")]


def test_json_lines_say_the_same_as_the_table(tmp_path: Path) -> None:
    rows = [{"code": "a", "text": "alpha", "definition": "First.", "parents": []},
            {"code": "b", "text": "beta", "parents": ["a"], "exact_matches": ["x:2"]}]  # fmt: skip
    found = read_jsonl(write(tmp_path, "t.jsonl", "\n".join(map(json.dumps, rows))), Defaults())
    same = "code,text,definition,parents,exact_matches\na,alpha,First.,,\nb,beta,,a,x:2\n"
    table = read_csv(write(tmp_path, "t.csv", same), Defaults())

    def shape(records: Any) -> list[Any]:
        return [{name: getattr(item, name) for name in item.__struct_fields__ if name != "source"}
                for item in records]  # fmt: skip

    assert shape(found.concepts) == shape(table.concepts)
    assert shape(found.expressions) == shape(table.expressions)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,text\na,b\n", "no column 'code'; found id, text"),
        ("code\na,b\n", r"t\.csv:2: the row has 2 cells, the first line 1"),
        ('code\n"a\n', r"t\.csv:2: no valid table"),
        ("code,consequence_tier\na,C9\n", "C9|Invalid enum"),
        ("", "no column 'code'; found none"),
    ],
)
def test_a_table_that_is_wrong_is_a_named_error(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_csv(write(tmp_path, "t.csv", content), Defaults())


def test_what_the_draft_says_stays_and_importing_twice_adds_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "draft"
    new_registry(folder, RegistryHeader(schema="denotary.registry/1", name="mine", version="2.0.0"))
    found = read_csv(write(tmp_path, "t.csv", CSV), Defaults())
    first = import_into(folder, found)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    again = import_into(folder, found)
    assert (first.registry, first.taken["concepts"], first.taken["expressions"]) == ("mine 2.0.0", 3, 3)
    assert (again.taken["concepts"], again.taken["expressions"]) == (0, 0)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    codes = [problem.code for problem in lint(load_registry(folder))]
    assert codes.count("unreviewed") == 3
    assert "missing-definition" in codes


def test_a_folder_with_a_registry_is_not_begun_again(tmp_path: Path) -> None:
    header = RegistryHeader(schema="denotary.registry/1", name="mine", version="1")
    new_registry(tmp_path, header)
    with pytest.raises(InputError, match="holds a registry already"):
        new_registry(tmp_path, header)


def test_a_frozen_registry_takes_nothing(frozen_registry: Path, tmp_path: Path) -> None:
    found = read_csv(write(tmp_path, "t.csv", CSV), Defaults())
    with pytest.raises(InputError, match="is frozen"):
        import_into(frozen_registry, found)


@pytest.mark.parametrize(
    ("text", "script"),
    [("word", "Latn"), ("слово", "Cyrl"), ("ひらがな漢字", "Jpan"), ("漢字", "Hani"), ("한글 漢字", "Kore"),
     ("10^3", "Zyyy"), ("слово x", "Cyrl")],
)  # fmt: skip
def test_the_script_is_the_one_of_most_letters(text: str, script: str) -> None:
    assert main_script(text) == script


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.csv:1: two columns"):
        read_csv(write(tmp_path, "t.csv", "code,text,text\na,one,two\n"), Defaults())


def test_a_cell_may_be_longer_than_the_limit_that_csv_has_by_itself(tmp_path: Path) -> None:
    long = "x" * 200_000
    found = read_csv(write(tmp_path, "t.csv", f"code,text\na,{long}\n"), Defaults())
    assert [item.text for item in found.expressions] == [long]


def test_a_cell_beyond_the_bound_is_an_error_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = csv.field_size_limit(200)
    monkeypatch.setattr(files, "LONGEST_CELL", 300)
    try:
        with pytest.raises(
            InputError, match=r"t\.csv:2: no valid table: field larger than field limit \(300\)"
        ):
            read_csv(write(tmp_path, "t.csv", f"code,text\na,{'x' * 301}\n"), Defaults())
    finally:
        csv.field_size_limit(former)


class Turns:
    """Lets a second import of the same folder begin while the first has read the draft and not written it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, second: Callable[[], object]) -> None:
        self._second = Thread(target=self._run, args=(second,))
        self._moved = Event()
        self._asks, self._loads = files._lock, load_registry
        monkeypatch.setattr(files, "_lock", self._lock)
        monkeypatch.setattr(writing, "load_registry", self._load)

    def _run(self, second: Callable[[], object]) -> None:
        second()
        self._moved.set()

    def _lock(self, *arguments: Any) -> None:
        if current_thread() is self._second:
            # From here on it waits for the first, if there is a lock to wait for.
            self._moved.set()
        self._asks(*arguments)

    def _load(self, folder: Path) -> Registry:
        found = self._loads(folder)
        if current_thread() is not self._second:
            self._second.start()
            self._moved.wait()
        return found

    def end(self) -> None:
        self._second.join()


def test_two_imports_into_one_folder_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = read_csv(write(tmp_path, "one.csv", "code,text\na,alpha\n"), Defaults())
    two = read_csv(write(tmp_path, "two.csv", "code,text\nb,beta\n"), Defaults())
    turns = Turns(monkeypatch, lambda: import_into(tmp_path / "draft", two))
    import_into(tmp_path / "draft", one)
    turns.end()
    assert set(load_registry(tmp_path / "draft").concepts) == {"a", "b"}

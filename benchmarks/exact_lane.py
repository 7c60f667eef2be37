"""The exact lane against a bare dictionary hit, a bare ``sqlite3`` select and gilda, over one million expressions.

All get the same requests, each with a text of its own as it comes off a wire. The peers make their key of it
and return a code; for information, the dictionary is also asked with keys made beforehand. The lane reads
the request strictly, normalises, decides, and returns an answer with provenance. Misses are timed apart:
there the peers return nothing, and the lane looks for evidence. gilda grounds in the same texts, on a slice; its
answers differ where it folds texts of two concepts together, and how many do is told.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from _harness import Peer, compare, limited, main

from denotary.registry import Registry, compile_registry
from denotary.registry.locks import build_lock
from denotary.registry.records import Concept, Expression, RegistryHeader, Review
from denotary.resolver import ExactLane

if TYPE_CHECKING:
    from collections.abc import Sequence

GILDA_SLICE = 5_000
MOST_OPEN_SECONDS, MOST_PRIVATE_BYTES = 0.050, 64 << 20
EXPRESSIONS = int(os.environ.get("DENOTARY_BENCH_EXPRESSIONS", "1000000"))
ASKED = min(100_000, EXPRESSIONS)
PER_CONCEPT = 5
LETTERS = (
    ("en", "Latn", "abcdefghijklmnopqrstuvwxyz"),
    ("fr", "Latn", "aàâbcçdeéèêfghiîïjlmnoôpqrstuûv"),
    ("ru", "Cyrl", "абвгдежзийклмнопрстуфхцчшщыэюя"),
    ("zh", "Hani", "的一是不了人我在有他这为之大来以个中上们"),
    ("ar", "Arab", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"),
)
SHARES = (62, 14, 10, 7, 7)


def registry(folder: Path, count: int = EXPRESSIONS) -> Registry:
    """Five expressions a concept, 62 % in plain Latin letters; a number in the text keeps them apart."""
    random_ = random.Random(20260101)
    words = {
        language: ["".join(random_.choices(letters, k=random_.randint(4, 11))) for _ in range(5_000)]
        for language, _, letters in LETTERS
    }
    review = Review(by="reviewer", on="2026-01-01", status="approved")
    expressions = []
    codes: tuple[str, ...] = ()
    for number in range(count):
        language, script, _ = random_.choices(LETTERS, SHARES)[0]
        text = " ".join([*random_.choices(words[language], k=3), str(number)])
        if number % PER_CONCEPT == 0:
            codes = (f"concept.{number // PER_CONCEPT}",)
        expressions.append(
            Expression(
                id=f"x-{number}", text=text, language=language, script=script, codes=codes, review=review
            )
        )
    concepts = {
        code: Concept(
            code=code, definitions={"en": code}, semantic_type="thing", consequence_tier="C2", owner="owner"
        )
        for code in (f"concept.{number}" for number in range(-(-count // PER_CONCEPT)))
    }
    header = RegistryHeader(schema="denotary.registry/1", name="bench", version="1")
    draft = Registry(header, concepts, tuple(expressions), (), (), None, folder)
    return replace(draft, lock=build_lock(draft, {}, {}))


def opening(compiled: Path, requests: Sequence[dict[str, Any]], count: int) -> dict[str, Any]:
    """Measure in a process of its own what opening a compiled file takes, and what 100,000 answers leave in memory."""
    lines = "".join(f"{json.dumps(request)}\n" for request in requests)
    script = Path(__file__).with_name("_open_cost.py")
    command = [sys.executable, str(script), str(compiled)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    private: int = found["private_bytes"]
    record = {"benchmark": f"open a compiled file of {count:,} and answer once", "cpu_seconds": found["open_seconds"],
              "peers": []}  # fmt: skip
    print(
        f"\n{record['benchmark']}\n  {1000 * found['open_seconds']:.1f} CPU ms; private {private / 2**20:.1f} MiB"
    )
    row = {"after": f"{len(requests):,} answers", "private MiB": private / 2**20, "at most": MOST_PRIVATE_BYTES >> 20,
           "met": private <= MOST_PRIVATE_BYTES}  # fmt: skip
    return limited(record, MOST_OPEN_SECONDS) | {"memory": [row]}


def grounder(source: Registry) -> Any:
    """Build gilda's grounder over the same texts."""
    import gilda
    from gilda.process import normalize

    terms: dict[str, list[Any]] = {}
    for item in source.expressions:
        key = normalize(item.text)
        terms.setdefault(key, []).append(
            gilda.Term(key, item.text, "B", item.codes[0], item.text, "name", "bench")
        )
    return gilda.make_grounder(terms)


def ground(made: Any, requests: Sequence[dict[str, Any]]) -> list[str | None]:
    found = [made.ground(request["text"]) for request in requests]
    return [matches[0].term.id if matches else None for matches in found]


def beside_gilda(lane: ExactLane, source: Registry, requests: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Time the lane and gilda on a slice, and count where gilda gives another concept."""
    some = requests[:GILDA_SLICE]
    made = grounder(source)
    ours, theirs = ask(lane, some), ground(made, some)
    other = sum(a != b for a, b in zip(ours, theirs, strict=True))
    note = f"another concept in {other:,} of {len(some):,} (it folds texts together and takes no language)"
    peer = Peer("gilda ground", partial(ground, made, some), goal=10, note=note)
    name = f"exact lane in memory, {len(some):,} hits among {len(source.expressions):,}, beside gilda"

    def mostly_equal(answer: list[str | None], _: str, result: list[str | None]) -> None:
        if sum(a == b for a, b in zip(answer, result, strict=True)) < 0.95 * len(answer):
            raise AssertionError("gilda was built over other texts")

    return compare(name, partial(ask, lane, some), [peer], mostly_equal)


def bare_table(path: Path, codes: dict[str, str]) -> sqlite3.Connection:
    """Write what anybody would: one table with the key as its primary key."""
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE expression (key TEXT PRIMARY KEY, code TEXT) WITHOUT ROWID")
    connection.executemany("INSERT INTO expression VALUES (?, ?)", sorted(codes.items()))
    connection.commit()
    return connection


def ask(lane: ExactLane, requests: Sequence[dict[str, Any]]) -> list[str | None]:
    resolve = lane.resolve
    return [resolve(request)["decision"].get("concept_code") for request in requests]


def look_up(codes: dict[str, str], requests: Sequence[dict[str, Any]]) -> list[str | None]:
    return [codes.get(f"{request['language']}\x1f{request['text']}") for request in requests]


def look_up_keys(codes: dict[str, str], keys: Sequence[str]) -> list[str | None]:
    return [codes.get(key) for key in keys]


def select(connection: sqlite3.Connection, requests: Sequence[dict[str, Any]]) -> list[str | None]:
    query = "SELECT code FROM expression WHERE key = ?"
    keys = (f"{request['language']}\x1f{request['text']}" for request in requests)
    rows = [connection.execute(query, (key,)).fetchone() for key in keys]
    return [row[0] if row else None for row in rows]


def equal(answer: Any, name: str, other: Any) -> None:
    assert answer == other, name


def build() -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source = registry(folder)
        codes = {f"{item.language}\x1f{item.text}": item.codes[0] for item in source.expressions}
        connection = bare_table(folder / "bare.sqlite", codes)
        compiled = folder / "compiled.sqlite"
        start = time.process_time()
        compile_registry(source, compiled)
        print(f"compile: {time.process_time() - start:.1f} CPU s, {compiled.stat().st_size / 1e6:.0f} MB")
        disk, memory = ExactLane(compiled), ExactLane(source)
        sample = random.Random(1).sample(source.expressions, ASKED)
        hits = [(item.language, item.text) for item in sample]
        misses = [(language, f"{text}0") for language, text in hits]
        asked_hits = [{"text": text, "language": language} for language, text in hits]
        records = [opening(compiled, asked_hits, EXPRESSIONS), beside_gilda(memory, source, asked_hits)]
        for kind, asked in (("hits", hits), ("misses", misses)):
            requests = [{"text": text.encode().decode(), "language": language} for language, text in asked]
            keys = [f"{language}\x1f{text}" for language, text in asked]
            most = (8, 3) if kind == "hits" else (None, None)
            tables = [
                Peer("bare dict", partial(look_up, codes, requests), goal=_least(most[0])),
                Peer("bare dict, keys made beforehand", partial(look_up_keys, codes, keys)),
            ]
            rows = Peer("bare sqlite3 select", partial(select, connection, requests), goal=_least(most[1]))
            name = f"{len(asked):,} {kind} among {EXPRESSIONS:,}"
            records += [
                compare(f"exact lane in memory, {name}", partial(ask, memory, requests), tables, equal),
                compare(f"exact lane on disk, {name}", partial(ask, disk, requests), [rows], equal),
            ]
        disk.close()
        connection.close()
        return records


def _least(most: int | None) -> float | None:
    """A goal is the least ratio peer / ours; ours may take at most so many times as long."""
    return None if most is None else 1 / most


if __name__ == "__main__":
    main(build)

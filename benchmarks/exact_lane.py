"""The exact lane against a bare dictionary hit and a bare ``sqlite3`` select, over one million expressions.

All get the same requests, each with a text of its own as it comes off a wire. The peers make their key of it
and return a code; for information, the dictionary is also asked with keys made beforehand. The lane reads
the request strictly, normalises, decides, and returns an answer with provenance. Misses are timed apart:
there the peers return nothing, and the lane looks for evidence.
"""

from __future__ import annotations

import os
import random
import sqlite3
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from _harness import Peer, compare, main

from denotary.registry import Registry, compile_registry
from denotary.registry.locks import build_lock
from denotary.registry.records import Concept, Expression, RegistryHeader, Review
from denotary.resolver import ExactLane

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def registry(folder: Path) -> Registry:
    """Five expressions a concept, 62 % in plain Latin letters; a number in the text keeps them apart."""
    random_ = random.Random(20260101)
    words = {
        language: ["".join(random_.choices(letters, k=random_.randint(4, 11))) for _ in range(5_000)]
        for language, _, letters in LETTERS
    }
    review = Review(by="reviewer", on="2026-01-01", status="approved")
    expressions = []
    for number in range(EXPRESSIONS):
        language, script, _ = random_.choices(LETTERS, SHARES)[0]
        text = " ".join([*random_.choices(words[language], k=3), str(number)])
        code = f"concept.{number // PER_CONCEPT}"
        expressions.append(
            Expression(
                id=f"x-{number}", text=text, language=language, script=script, codes=(code,), review=review
            )
        )
    concepts = {
        code: Concept(
            code=code, definitions={"en": code}, semantic_type="thing", consequence_tier="C2", owner="owner"
        )
        for code in (f"concept.{number}" for number in range(-(-EXPRESSIONS // PER_CONCEPT)))
    }
    header = RegistryHeader(schema="denotary.registry/1", name="bench", version="1")
    draft = Registry(header, concepts, tuple(expressions), (), (), None, folder)
    return replace(draft, lock=build_lock(draft, {}, {}))


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
        start = time.process_time()
        disk = ExactLane(compiled)
        disk.resolve({"text": source.expressions[0].text})
        print(f"open and first answer: {(time.process_time() - start) * 1000:.1f} CPU ms")
        memory = ExactLane(source)
        sample = random.Random(1).sample(source.expressions, ASKED)
        hits = [(item.language, item.text) for item in sample]
        misses = [(language, f"{text}0") for language, text in hits]
        records = []
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

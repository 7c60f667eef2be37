"""The exact lane from a compiled file of ten million expressions, against a bare ``sqlite3`` select over the same.

Needs 10 GB of memory to build both files, which is why it is no part of ``make bench``.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from _harness import Peer, compare, main
from exact_lane import ASKED, ask, bare_table, equal, opening, registry, select

from denotary.registry import compile_registry
from denotary.resolver import ExactLane

EXPRESSIONS = int(os.environ.get("DENOTARY_BENCH_MANY", "10000000"))


def build() -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source = registry(folder, EXPRESSIONS)
        compiled = folder / "compiled.sqlite"
        start = time.process_time()
        compile_registry(source, compiled)
        print(f"compile: {time.process_time() - start:.1f} CPU s, {compiled.stat().st_size / 1e6:.0f} MB")
        sample = random.Random(1).sample(source.expressions, min(ASKED, EXPRESSIONS))
        requests = [{"text": item.text, "language": item.language} for item in sample]
        codes = {f"{item.language}\x1f{item.text}": item.codes[0] for item in source.expressions}
        del source
        connection = bare_table(folder / "bare.sqlite", codes)
        del codes
        name = f"exact lane on disk, {len(requests):,} hits among {EXPRESSIONS:,}"
        rows = Peer("bare sqlite3 select", partial(select, connection, requests), goal=1 / 3)
        opened = opening(compiled, requests, EXPRESSIONS)
        with ExactLane(compiled) as disk:
            compared = compare(name, partial(ask, disk, requests), [rows], equal)
        connection.close()
        return [opened, compared]


if __name__ == "__main__":
    main(build)

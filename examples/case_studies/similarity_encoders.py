"""Encoders and lexical baselines on the shipped corpus of matched anchors: do their scores read meaning or wording?

    python similarity_encoders.py CACHE PAGE.md [NAME ...]

Vectors and audits of NAMEs (default: all) are kept in CACHE; the page, and the drawings in ``../images/similarity``
beside it, are written from all audits that are there. What to install stands at the head of the page; about twelve
minutes of one core, of which mpnet and the two of e5 take most.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
import numpy as np
import similarity_figures
import similarity_tables
from similarity_models import MODELS
from similarity_records import Kept

from denotary.canonical import canonical_json
from denotary.files import write_atomic
from denotary.instruments.similarity.auditing import audit
from denotary.instruments.similarity.baselines import BASELINES
from denotary.instruments.similarity.configurations import baseline, encoded
from denotary.instruments.similarity.corpus import load_corpus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from denotary.instruments.similarity.configurations import Configuration
    from denotary.instruments.similarity.corpus import Corpus

NAMES = (*MODELS, *BASELINES)
BATCH = 256


@dataclass(frozen=True, slots=True)
class Encoded:
    """The vectors of the corpus, by text, and what they took."""

    rows: dict[str, NDArray[np.float32]]
    seconds: float
    truncated: int

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text."""
        return np.array([self.rows[text] for text in texts])


def vectors(name: str, texts: list[str], cache: Path) -> Encoded:
    """Return the vectors of all texts, from the cache if they are there."""
    path = cache / f"{name}.npz"
    if not path.exists():
        encoder = MODELS[name].load(cache)
        begin = time.process_time()
        # Texts of like length share a batch, so that little is spent on padding.
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        found = np.zeros((len(texts), encoder.identity.dimension), dtype=np.float32)
        with click.progressbar(length=len(texts), label=name, file=sys.stderr) as bar:
            for start in range(0, len(order), BATCH):
                rows = order[start : start + BATCH]
                found[rows] = encoder.encode([texts[row] for row in rows])
                bar.update(len(rows))
        seconds, cut = time.process_time() - begin, encoder.truncated(texts)
        np.savez(path, vectors=found, seconds=seconds, truncated=cut)
    with np.load(path) as kept:
        by_text = dict(zip(texts, kept["vectors"], strict=True))
        return Encoded(by_text, float(kept["seconds"]), int(kept["truncated"]))


def run(name: str, corpus: Corpus, cache: Path) -> None:
    """Audit one configuration and keep what it gave, with its seconds of CPU."""
    made: Configuration
    dimension, encoding, truncated = None, None, 0
    if name in MODELS:
        found = vectors(name, corpus.pairs.texts, cache)
        made = encoded(found, name, checkpoint=MODELS[name].checkpoint or name)
        dimension = len(next(iter(found.rows.values())))
        encoding, truncated = found.seconds, found.truncated
    else:
        made = baseline(name)
    begin = time.process_time()
    audited = audit(made, corpus)
    seconds = time.process_time() - begin
    kept = Kept(audited, seconds, encoding, truncated, dimension)
    write_atomic(cache / f"{name}.json", canonical_json(kept))


def main(cache: Path, target: Path, names: list[str]) -> None:
    """Run what is asked for; write the page and its drawings."""
    cache.mkdir(parents=True, exist_ok=True)
    corpus = load_corpus()
    for name in names:
        run(name, corpus, cache)
    kept = {
        name: msgspec.json.decode((cache / f"{name}.json").read_bytes(), type=Kept)
        for name in NAMES
        if (cache / f"{name}.json").exists()
    }
    images = target.parent.parent / "images" / "similarity"
    images.mkdir(parents=True, exist_ok=True)
    for file, drawing in similarity_figures.drawings(kept).items():
        write_atomic(images / file, drawing.encode())
    write_atomic(target, similarity_tables.page(kept, corpus.notes).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or list(NAMES))

"""A corpus of pairs as a frozen suite, which a system can be asked and certified on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from denotary.canonical import digest
from denotary.errors import InputError
from denotary.files import encode_jsonl, encode_toml, write_atomic
from denotary.instruments.similarity import manipulation
from denotary.instruments.similarity.anchors import CELLS
from denotary.instruments.similarity.cases import Design, Gold, Input, SimilarityCase
from denotary.registry import load_registry
from denotary.suites import freeze
from denotary.suites.checking import MAY_BE_SEEN
from denotary.suites.loading import CASES, MANIFEST, SUITE_LOCK
from denotary.suites.records import Annotation, Construction, Manifest, RegistryPin, Security

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.instruments.similarity.corpus import Corpus
    from denotary.instruments.similarity.corpus_records import CorpusAnchor
    from denotary.instruments.similarity.pairs import Pairs
    from denotary.suites.records import Role, SuiteLock

REGISTRY = "bundled:similarity"
"""The registry of the two things that can hold of a pair."""


def build_suite(
    corpus: Corpus,
    out: Path | str,
    *,
    name: str = "similarity-pairs",
    version: str = "1.0.0",
    role: Role = "public-diagnostic",
) -> SuiteLock:
    """Write the pairs of a corpus as a suite, freeze it and return its lock.

    Args:
        corpus: one whose manipulation check holds.
        out: folder of the suite; one that holds the same suite already is left as it is.
        name: of the suite.
        version: semantic version of the suite.
        role: what the suite may be used for; its pairs are sealed if the role demands that.

    Raises:
        InputError: the manipulation check fails, or the folder holds another frozen suite.
        StorageError: it cannot be written.
    """
    root = Path(out)
    manipulation.require(corpus.pairs)
    cases = list(suite_cases(corpus, version=version, visibility=MAY_BE_SEEN[role][-1]))
    files = {
        MANIFEST: encode_toml(msgspec.to_builtins(_manifest(corpus, name, version, role, cases))),
        CASES: encode_jsonl(cases),
    }
    if (root / SUITE_LOCK).exists() and any(
        not (root / file).exists() or (root / file).read_bytes() != data for file, data in files.items()
    ):
        raise InputError(
            "holds another frozen suite, which is never overwritten", path=root, hint="choose another folder"
        )
    root.mkdir(parents=True, exist_ok=True)
    for file, data in files.items():
        write_atomic(root / file, data)
    return freeze(root, who="denotary", why=f"written from the corpus {corpus.name} sha256:{corpus.digest}")


def suite_cases(corpus: Corpus, *, version: str, visibility: Any) -> Iterator[SimilarityCase]:
    """Yield the pairs of a corpus as cases, anchor by anchor.

    Neither the id of a case nor its place among those of its anchor tells what is right of it: both go by the digests
    of the texts, since ids stand in logs, and calls are made in the order of the cases.

    Args:
        corpus: the corpus.
        version: of the suite.
        visibility: who may see the cases.
    """
    pairs, registry = corpus.pairs, load_registry(REGISTRY)
    written = {anchor.anchor: anchor for anchor in corpus.anchors}
    rows: dict[str, list[int]] = {}
    for row, anchor in enumerate(map(str, pairs.anchor)):
        rows.setdefault(anchor, []).append(row)
    for anchor, held in rows.items():
        for number, row in enumerate(sorted(held, key=lambda row: _digest(pairs, row)), start=1):
            yield SimilarityCase(
                record_id=f"{anchor}.{number}",
                benchmark_version=version,
                registry_version=registry.version,
                semantic_seed_id=anchor,
                security=Security(visibility=visibility),
                **_content(pairs, row, written.get(anchor)),
            )


def _digest(pairs: Pairs, row: int) -> str:
    return digest([str(pairs.first[row]), str(pairs.second[row])])


def _content(pairs: Pairs, row: int, anchor: CorpusAnchor | None) -> dict[str, Any]:
    """Return what a case holds of its pair, and of the anchor if that was written for the corpus."""
    decision, pole = _decision(pairs, row), _pole(pairs, row)
    return {
        "construction": Construction(
            primary_family=str(pairs.task[row]),
            generation_method="written" if anchor else "given",
            author=anchor.writer if anchor else None,
        ),
        "annotation": _annotation(anchor, f"{decision}_{pole}"),
        "input": Input(
            text1=str(pairs.first[row]),
            text2=str(pairs.second[row]),
            task=str(pairs.task[row]),
            language="en" if anchor else None,
        ),
        "gold": Gold(decision=decision),
        "design": Design(
            pole=pole,
            half=str(pairs.half[row]),
            mutation=str(pairs.mutation[row]),
            register=str(pairs.register[row]),
        ),
    }


def _decision(pairs: Pairs, row: int) -> Any:
    return "same" if pairs.same[row] else "opposite"


def _pole(pairs: Pairs, row: int) -> Any:
    return "close" if pairs.close[row] else "distant"


def _annotation(anchor: CorpusAnchor | None, cell: str) -> Annotation:
    if anchor is None:
        return Annotation(review="unreviewed")
    read = anchor.second_reading.get(cell)
    return Annotation(
        review=anchor.review,
        independent_votes=read.votes if read else (),
        reviewers=read.readers if read else (),
    )


def _manifest(
    corpus: Corpus, name: str, version: str, role: Role, cases: Sequence[SimilarityCase]
) -> Manifest:
    registry = load_registry(REGISTRY)
    reviews = {case.annotation.review for case in cases}
    return Manifest(
        schema="denotary.suite/1",
        name=name,
        version=version,
        instrument="similarity",
        role=role,
        registry=RegistryPin(name=registry.name, version=registry.version, path=REGISTRY),
        title=f"Pairs of the corpus {corpus.name}, {len(CELLS)} cells an anchor" if corpus.anchors else "",
        licence=corpus.licence,
        review=reviews.pop() if len(reviews) == 1 else "unreviewed",
        notes=(*corpus.notes, f"Made of the corpus {corpus.name}, sha256:{corpus.digest}."),
    )

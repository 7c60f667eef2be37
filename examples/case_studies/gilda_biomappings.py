"""gilda on the curated names of Biomappings: how often it finds the term, and what it does with names that are none.

    python gilda_biomappings.py DATA OUT

DATA holds ``positive.sssom.tsv`` and ``negative.sssom.tsv`` of ``biopragmatics/biomappings`` (CC0 1.0). Needs
``gilda``. Writes registry, suite and a certified run into OUT and prints the figures.

The registry holds the MeSH terms that curators mapped; a term's name is its one expression, and gilda's grounder is
built from the same names, so that both know the same. Asked are the names that other vocabularies have: of terms
confirmed to be the same (SINGLE), and of terms that a curator said are *not* the MeSH term they were proposed for and
that no confirmed mapping joins to any term of the registry (UNKNOWN_REGISTRY, with that term as the neighbour). Nobody
checked that such a name fits none of the other terms: read UnknownFAR with that in mind, the neighbour's rate without.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import gilda
from converting import case as make_case
from converting import figures, registry, suite
from gilda.process import normalize

import denotary as dn
from denotary.certify import certify

SOURCE = "biopragmatics/biomappings, CC0 1.0"
PREFIX, SAME = "mesh:", "skos:exactMatch"
REASON = "a curator said that the two terms are not the same"


def read(path: Path) -> list[dict[str, str]]:
    """Return the mappings of an SSSOM table that are exact matches, confirmed or denied."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        return [row for row in rows if row["predicate_id"] == SAME]


def sides(row: dict[str, str]) -> tuple[str, str, str, str] | None:
    """Return (registered id, its name, other id, other name), whichever side of the mapping is registered."""
    pairs = [(row["subject_id"], row["subject_label"]), (row["object_id"], row["object_label"])]
    for (code, name), (other, text) in (pairs, pairs[::-1]):
        if code.startswith(PREFIX) and not other.startswith(PREFIX) and name and text:
            return code, " ".join(name.split()), other, " ".join(text.split())
    return None


def grounder(names: dict[str, str]) -> gilda.Grounder:
    """Return a grounder that knows these names and no other."""
    terms: dict[str, list[gilda.Term]] = {}
    for code, name in names.items():
        key = normalize(name)
        identifier = code.removeprefix(PREFIX)
        term = gilda.Term(key, name, "MESH", identifier, name, "name", "biomappings")
        terms.setdefault(key, []).append(term)
    return gilda.make_grounder(terms)


def main(source: Path, out: Path) -> None:
    """Convert the mappings, certify gilda, print what it says of itself and what we do."""
    positive = [found for row in read(source / "positive.sssom.tsv") if (found := sides(row))]
    negative = [found for row in read(source / "negative.sssom.tsv") if (found := sides(row))]
    names = {code: name for code, name, _, _ in positive}
    texts = ((code, name, name) for code, name in sorted(names.items()))
    registry(out / "registry", "mesh-of-biomappings", texts, SOURCE, "The MeSH term named {}.")
    mapped = {other for _, _, other, _ in positive}
    codes: dict[str, set[str]] = {}
    for code, _, _, text in positive:
        codes.setdefault(text.casefold(), set()).add(code)
    # A name that was confirmed for two terms has no one right answer and is left out.
    known = {
        (text.casefold(), code): text
        for code, _, _, text in positive
        if text != names[code] and len(codes[text.casefold()]) == 1
    }
    unknown = {
        text.casefold(): (text, code)
        for code, _, other, text in negative
        if code in names
        and other not in mapped
        and text not in names.values()
        and text.casefold() not in codes
    }
    cases = [
        make_case(f"same-{n:05}", text, code) for n, ((_, code), text) in enumerate(sorted(known.items()))
    ]
    cases += [
        make_case(f"other-{n:05}", text, None, (code, REASON))
        for n, (text, code) in enumerate(sorted(unknown.values()))
    ]
    suite(out / "suite", "biomappings", cases, SOURCE, "public-diagnostic")
    made = grounder(names)
    right = sum(
        bool(found := made.ground(text)) and PREFIX + found[0].term.id == code
        for (_, code), text in known.items()
    )
    own = f"top match right for {right:,} of {len(known):,} names that have one ({right / len(known):.3f})"
    held = dn.load_suite(out / "suite")
    system = dn.systems.gilda(made, code="id", prefix=PREFIX, pinned="1.0.0")
    judged = certify(system, held, "c1", out / "report", concurrency=1)
    print(figures("gilda 1.6.1, best match", own, judged))


if __name__ == "__main__":
    match sys.argv[1:]:
        case [data_folder, out_folder]:
            main(Path(data_folder), Path(out_folder))
        case _:
            sys.exit("usage: python gilda_biomappings.py DATA OUT")

"""Compute how far the votes on a suite agree with its gold and with each other, or check the published figures.

python tools/judging.py            # writes judging/agreement.json in the bundled suite first-thousand
python tools/judging.py --check    # exit code 1 if the file says anything else than the votes do

Compared are the gold as it was when the case was judged and the first vote on it, over every case that was
judged, those included that have been dropped or corrected since. Texts that were judged as candidates for a
place in the suite are left out of that comparison: they came in because the votes agreed. EXACT_MISS is left
out because it claims nothing about the meaning.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import msgspec

from denotary.annotation import Item, agreement, load_judging
from denotary.annotation.loading import AGREEMENT
from denotary.annotation.records import Confusion, JudgingReport, Repeated, Reviewer
from denotary.files import write_atomic
from denotary.instruments.identity.cases import IdentityCase
from denotary.suites import load_suite, units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from denotary.annotation import Agreement, Judgement, Judging
    from denotary.suites import Suite

SUITE = "bundled:first-thousand"


class Votes:
    """The votes on a suite, joined with the records that were judged.

    Attributes:
        judging: what was loaded.
        cases: the record of every item, by digest.
        candidates: digests of texts that were judged as candidates, whether they came in or not.
        first: the first vote on every case that was no candidate, by digest.
    """

    def __init__(self, judging: Judging) -> None:
        self.judging = judging
        self.cases = {sha: case for sha, case in judging.records.items() if isinstance(case, IdentityCase)}
        adopted = {item.replaced_by for item in judging.excluded}
        refused = {item.item_sha256 for item in judging.excluded if item.was == "candidate"}
        self.candidates = refused | {sha for sha, case in self.cases.items() if case.record_id in adopted}
        self.first: dict[str, Judgement] = {}
        for row in judging.judgements:
            if row.item_sha256 not in self.candidates and self._has_meaning(row.item_sha256):
                self.first.setdefault(row.item_sha256, row)

    def _has_meaning(self, sha: str) -> bool:
        return self.cases[sha].gold.disposition != "EXACT_MISS"

    def with_gold(self, row: Judgement) -> bool:
        """Whether a vote is the gold of its item."""
        item = Item("", (self.cases[row.item_sha256].gold.answer, (row.disposition, frozenset(row.codes))))
        return len(set(item.whole)) == 1

    def pairs(self) -> dict[str, Item]:
        """Return gold and first vote of every case, by digest, in the units of the suite that was judged."""
        judged = [sha for sha in self.cases if sha in {row.item_sha256 for row in self.judging.judgements}]
        cases = [sha for sha in judged if sha not in self.candidates]
        unit = dict(zip(cases, units([self.cases[sha] for sha in cases]), strict=True))
        return {
            sha: Item(unit[sha], (self.cases[sha].gold.answer, (vote.disposition, frozenset(vote.codes))))
            for sha, vote in self.first.items()
        }

    def repeated(self) -> tuple[Repeated, ...]:
        """Return what later judges said of cases that were no candidates."""
        counts: dict[str, Counter[tuple[bool, bool]]] = defaultdict(Counter)
        for row in self.judging.judgements:
            first = self.first.get(row.item_sha256)
            if first is not None and row is not first:
                key = (self.with_gold(first), self.with_gold(row))
                counts[self.judging.guidelines[row.guideline_sha256]][key] += 1
        return tuple(
            Repeated(
                guideline=name,
                disputed=found[False, True] + found[False, False],
                disputed_with_gold=found[False, True],
                undisputed=found[True, True] + found[True, False],
                undisputed_with_gold=found[True, True],
            )
            for name, found in sorted(counts.items())
        )

    def between_judges(self) -> dict[str, Agreement]:
        """Return the agreement of judges who shared a guideline, on items that two or more of them judged."""
        shas = list(dict.fromkeys(row.item_sha256 for row in self.judging.judgements))
        unit = dict(zip(shas, units([self.cases[sha] for sha in shas]), strict=True))
        answers: dict[str, dict[str, list[tuple[str, frozenset[str]]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for row in self.judging.judgements:
            name = self.judging.guidelines[row.guideline_sha256]
            answers[name][row.item_sha256].append((row.disposition, frozenset(row.codes)))
        found = {
            name: agreement([Item(unit[sha], tuple(given)) for sha, given in items.items()])
            for name, items in sorted(answers.items())
        }
        return {name: result for name, result in found.items() if result.items}


def grouped(pairs: dict[str, Item], name: Callable[[str], str]) -> dict[str, Agreement]:
    """Return the agreement within every group of items."""
    groups: dict[str, list[Item]] = defaultdict(list)
    for sha, item in pairs.items():
        groups[name(sha)].append(item)
    return {group: agreement(items) for group, items in sorted(groups.items())}


def confusion(items: Iterable[Item]) -> tuple[Confusion, ...]:
    """Return how often each gold disposition met each vote."""
    counts = Counter((item.answers[0][0], item.answers[1][0]) for item in items)
    return tuple(Confusion(gold=gold, vote=vote, items=n) for (gold, vote), n in sorted(counts.items()))


def reviewers(judging: Judging) -> tuple[Reviewer, ...]:
    """Return who judged, and how much."""
    rows: dict[tuple[str, str, str], list[Judgement]] = defaultdict(list)
    for row in judging.judgements:
        rows[row.reviewer, row.kind, judging.guidelines[row.guideline_sha256]].append(row)
    return tuple(
        Reviewer(
            reviewer=name,
            kind=votes[0].kind,
            guideline=guideline,
            votes=len(votes),
            unsure=sum(not vote.sure for vote in votes),
        )
        for (name, _, guideline), votes in sorted(rows.items())
    )


def report(suite: Suite, judging: Judging) -> JudgingReport:
    """Return every figure of the judging of an identity suite."""
    votes = Votes(judging)
    pairs = votes.pairs()
    return JudgingReport(
        schema="denotary.judging-report/1",
        suite=f"{suite.name} {suite.version}",
        registry_version=suite.registry.version,
        head=judging.head,
        votes=dict(Counter(row.kind for row in judging.judgements)),
        annotators=len(judging.annotators),
        first=agreement(list(pairs.values())),
        by_family=grouped(pairs, lambda sha: votes.cases[sha].construction.primary_family),
        by_language=grouped(pairs, lambda sha: votes.cases[sha].language_slice),
        confusion=confusion(pairs.values()),
        repeated=votes.repeated(),
        between_judges=votes.between_judges(),
        reviewers=reviewers(judging),
    )


def main(arguments: list[str]) -> int:
    """Write or check the figures; return the exit code."""
    suite = load_suite(SUITE)
    judging = load_judging(suite)
    data = msgspec.json.format(msgspec.json.encode(report(suite, judging), order="sorted"), indent=1) + b"\n"
    path = judging.root / AGREEMENT
    if arguments == ["--check"]:
        same = path.exists() and path.read_bytes() == data
        if not same:
            print(f"judging/{AGREEMENT} differs from the votes; run python tools/judging.py")
        return 0 if same else 1
    write_atomic(path, data)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A release against the version before it: two runs on the same cases, paired, judged by a policy on both."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from denotary.certify.aligning import align
from denotary.certify.judged import EXIT_CODES, read_policy
from denotary.certify.recertification import components
from denotary.certify.soundness import with_soundness
from denotary.certify.writing import RUN
from denotary.errors import InputError
from denotary.measures.comparing import compare as compare_rows
from denotary.measures.comparing import comparisons
from denotary.measures.engine import evaluate
from denotary.measures.measurement import Measurement
from denotary.measures.pairs import pair
from denotary.measures.records import Fact, Series
from denotary.measures.required import advertised
from denotary.measures.scoring import corpus_of, joined_table
from denotary.measures.statistic_pairs import compared_statistics
from denotary.measures.table import OUTCOME
from denotary.runs import load_run
from denotary.runs.folder import HEADER
from denotary.verdicts import judge as decide
from denotary.verdicts.decision import REVIEW_FACT
from denotary.verdicts.gates import slices_of
from denotary.verdicts.policies import paired_policy
from denotary.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denotary.certify.aligning import Alignment
    from denotary.certify.recertification import Component
    from denotary.errors import ExitCode
    from denotary.measures.pairs import Pairs
    from denotary.measures.table import Table
    from denotary.registry.records import Migration
    from denotary.runs import Run
    from denotary.verdicts.records import Decision, Policy, Verdict, Waiver

SEALED = "sealed-certification"
"""Role of a suite of which no page names a case."""

TRANSITIONS = "transitions"
"""Name of the series of outcomes before and now."""

_SHOWN = ("candidates", "confidence", "decisions", "kinds", "scores")
"""What a system shows of itself, and a release may not stop showing."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A verdict on two runs with what it rests on.

    Attributes:
        base: answers of the approved version.
        new: answers of the release.
        alignment: which cases are the same.
        pairs: both systems' answers to them.
        components: the identity blocks side by side.
        measurement: comparisons, events over pairs and facts.
        policy: what was asked.
        policy_source: the bytes of the policy's file.
        shipped: whether the policy is one that the instrument ships.
        migrations: the migration records that were given; None for those of the new registry.
        waivers: every waiver that was given, in force or not.
        today: the ISO date on which waivers were checked; empty if none was given.
        verdict: the decision and every gate.
    """

    base: Run
    new: Run
    alignment: Alignment
    pairs: Pairs
    components: tuple[Component, ...]
    measurement: Measurement
    policy: Policy
    policy_source: bytes
    shipped: bool
    migrations: tuple[Migration, ...] | None
    waivers: tuple[Waiver, ...]
    today: str
    verdict: Verdict

    @property
    def decision(self) -> Decision:
        """PROMOTE, BLOCK or INSUFFICIENT."""
        return self.verdict.decision

    @property
    def exit_code(self) -> ExitCode:
        """The exit code that carries the decision."""
        return EXIT_CODES[self.verdict.decision]

    @property
    def recertify(self) -> bool:
        """Whether a component changed, or is undeclared, so that the release needs a certificate of its own."""
        return any(item.demands for item in self.components)

    def report(self, path: Path | str) -> None:
        """Write the HTML report."""
        from denotary.certify.comparison_reporting import report
        from denotary.files import write_atomic
        from denotary.reports.comparison_page import html

        write_atomic(Path(path), html(report(self)).encode())

    def write(self, out: Path | str, *, sign: Path | str | None = None) -> None:
        """Write statement, rows, report and projections into a folder, which ``verify`` can rebuild.

        Args:
            out: the folder.
            sign: PEM file of an ed25519 private key to sign the statement with.
        """
        from denotary.certify.comparison_writing import write_comparison
        from denotary.certify.signing import Signer

        write_comparison(self, Path(out), signer=None if sign is None else Signer.load(Path(sign)))


def compare(
    base: Run | Path | str,
    new: Run | Path | str,
    policy: str | Path | None = None,
    *,
    migration: Sequence[Migration] | Path | str | None = None,
    waivers: Sequence[Waiver] = (),
    today: str = "",
) -> Compared:
    """Compare a release with the version before it, case by case.

    Args:
        base: the run of the approved version, or its folder, or the folder that ``certify`` wrote.
        new: the run of the release, given likewise.
        policy: name of a shipped policy on two runs, or a path; by default the one that the instrument ships.
        migration: what became of each concept, as records or a JSON Lines file, where the runs have two snapshots of
            the registry; by default what the new snapshot's own ``migrations.jsonl`` says.
        waivers: gates set aside by somebody, for a reason, until a day.
        today: ISO date on which waivers are checked.

    Raises:
        InputError: the runs have no case in common, their registries differ without a migration map, the base did not
            run to its end, or policy, map or waivers cannot be used.
        IntegrityError: a run was edited, or its suite or registry is another one.
    """
    before, after = _loaded(base), _loaded(new)
    if not before.complete:
        raise InputError(
            "the run of the base did not come to its end, and what it was not asked would count as its harm",
            path=before.root,
            hint="resume it: the command that began it, once more",
        )
    records = _records(migration)
    read = read_policy(policy or paired_policy(after.suite.instrument), after.suite, "paired")
    alignment = align(before.suite, after.suite, records)
    table = joined_table(after)
    pairs = _pairs(joined_table(before), table, alignment, after)
    asked = {gate.fact for gate in read.policy.gates}
    known = [
        fact
        for fact in after.suite.instrument.facts(after.suite, table, after.header.identity)
        if fact.name == REVIEW_FACT or fact.name in asked
    ]
    measurement = _measured(before, after, pairs, read.policy, (*_facts(after, alignment, pairs), *known))
    measurement = with_soundness(measurement, after.suite, read.policy)
    return Compared(
        base=before,
        new=after,
        alignment=alignment,
        pairs=pairs,
        components=components(before, after),
        measurement=measurement,
        policy=read.policy,
        policy_source=read.source,
        shipped=read.shipped,
        migrations=records,
        waivers=tuple(waivers),
        today=today,
        verdict=decide(measurement, read.policy, waivers=waivers, today=today or None),
    )


def _loaded(run: Run | Path | str) -> Run:
    if not isinstance(run, (str, Path)):
        return run
    return load_run(run_folder(Path(run)))


def run_folder(root: Path) -> Path:
    """Return the folder of a run: the one given, or the one within what ``certify`` wrote."""
    return root / RUN if (root / RUN / HEADER).is_file() else root


def _records(migration: Sequence[Migration] | Path | str | None) -> tuple[Migration, ...] | None:
    if isinstance(migration, (str, Path)):
        from denotary.registry.migration import load_migrations

        return load_migrations(Path(migration))
    return None if migration is None else tuple(migration)


def _pairs(base: Table, new: Table, alignment: Alignment, run: Run) -> Pairs:
    """Return both tables side by side, the base's codes called as the new registry calls them."""
    columns = run.suite.instrument.code_columns
    if alignment.migration is not None:
        base = base.relabelled(columns, _later_names(alignment, base, columns))
    return pair(base, new, alignment.at_base, alignment.at_new, alignment.unit)


def _later_names(alignment: Alignment, table: Table, columns: tuple[str, ...]) -> Mapping[str, str]:
    mapped = alignment.migration
    labels = {label for name in columns for label in table.coded[name].labels}
    later = {label: mapped.successor(label) for label in labels} if mapped is not None else {}
    return {label: name for label, name in later.items() if name is not None}


def _measured(base: Run, new: Run, pairs: Pairs, policy: Policy, facts: tuple[Fact, ...]) -> Measurement:
    suite, instrument = new.suite, new.suite.instrument
    claimed = {*base.header.identity.languages, *new.header.identity.languages}
    required = {**instrument.required_slices(suite), **advertised(sorted(claimed))}
    read = [
        (gate.measure, name)
        for gate in policy.gates
        if gate.kind == "paired"
        for name in slices_of(gate, required)
    ]
    name, kind = instrument.name, instrument.unit_kind
    declared = comparisons(instrument.measures(suite), read, without=instrument.answered_axes)
    return Measurement(
        instrument=name,
        unit_kind=kind,
        suite=corpus_of(suite),
        snapshot_id=suite.registry.snapshot_id,
        outcomes=pairs.new.outcomes(),
        required=required,
        rows=evaluate(instrument.regressions(suite), pairs.joined(), instrument=name, unit_kind=kind),
        facts=facts,
        series=(
            _transitions(pairs, name),
            compared_statistics(
                instrument.measures(suite), pairs, instrument=name, without=instrument.answered_axes
            ),
        ),
        comparisons=compare_rows(declared, pairs, instrument=name, unit_kind=kind),
        run=new,
    )


def _transitions(pairs: Pairs, instrument: str) -> Series:
    """Return how many cases went from each outcome class to each other."""
    before, after = pairs.base.coded[OUTCOME], pairs.new.coded[OUTCOME]
    counts = Counter(zip(before.codes.tolist(), after.codes.tolist(), strict=True))
    rows = [(before.labels[old], after.labels[new], count) for (old, new), count in sorted(counts.items())]
    return Series(
        instrument=instrument,
        series=TRANSITIONS,
        slice="all",
        columns=("base", "new", "cases"),
        rows=tuple(rows),
    )


def _facts(new: Run, alignment: Alignment, pairs: Pairs) -> Iterator[Fact]:
    suite, instrument = new.suite, new.suite.instrument
    yield alignment.fact(named=suite.manifest.role != SEALED)
    yield _base_answered(pairs)
    yield _capabilities_kept(pairs)
    yield from instrument.regression_facts(pairs)


def _base_answered(pairs: Pairs) -> Fact:
    lost = int((~pairs.base.flag("answered")).sum())
    detail = (
        f"the base gave no answer to {plural(lost, 'case')} of {len(pairs):,}"
        if lost
        else f"the base answered all {plural(len(pairs), 'case')}"
    )
    return Fact(name="base_answered", holds=None if lost else True, detail=detail)


def _capabilities_kept(pairs: Pairs) -> Fact:
    gone = [name for name in _SHOWN if name in pairs.base.capabilities - pairs.new.capabilities]
    detail = (
        f"the release no longer gives {', '.join(gone)}" if gone else "the release gives what the base gave"
    )
    return Fact(name="capabilities_kept", holds=None if gone else True, detail=detail)

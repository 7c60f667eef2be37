"""``denotary resolver fit``, ``calibrate`` and ``explain``: the semantic lane."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from denotary.cli.common import json_option, print_fields, print_json, print_table, quiet_option

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denotary.resolver.semantic.records import Calibration

folder_argument = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
examples_option = click.option(
    "--examples",
    type=click.Path(dir_okay=False, path_type=Path),
    help="JSON Lines of labelled texts: id, text, code (null where no concept is meant), and if need be language "
    "and unit.",
)


@click.command(short_help="Fit the semantic lane for REGISTRY and write FOLDER.")
@click.argument("registry")
@folder_argument
@examples_option
@click.option(
    "--encoder", default="minilm", show_default=True, help="Encoder, as denotary encoders lists them."
)
@json_option
@quiet_option
def fit(
    registry: str, folder: Path, *, examples: Path | None, encoder: str, as_json: bool, quiet: bool
) -> None:
    """Fit the semantic lane for REGISTRY, a frozen folder, and write FOLDER. It refuses all until it is calibrated."""
    from denotary.files import read_records
    from denotary.registry import load_registry
    from denotary.resolver.semantic import fit as learn
    from denotary.resolver.semantic.records import Example

    labelled = read_records(examples, Example) if examples else ()
    model = learn(load_registry(registry), labelled, folder, encoder=encoder).model
    shown = {
        "registry": model.registry,
        "concepts": len(model.codes),
        "texts": model.seen,
        "learns_unknown": model.rejects,
        "encoder": model.encoder_identity.name,
        "model_hash": model.hash,
    }
    _print(shown, as_json=as_json, quiet=quiet)


@click.command(short_help="Choose the threshold of the lane in FOLDER with a guarantee.")
@folder_argument
@examples_option
@click.option(
    "--limit",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    required=True,
    help="Assignment risk to stay below.",
)
@click.option(
    "--unknown-limit",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Share of unknown texts accepted to stay below.",
)
@click.option(
    "--delta",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Chance that the threshold violates a limit.",
)
@click.option(
    "--unknown-share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Share of unknown texts that the risk is stated at; default: as found in the examples.",
)
@json_option
@quiet_option
def calibrate(
    folder: Path,
    *,
    examples: Path | None,
    limit: float,
    unknown_limit: float | None,
    delta: float,
    unknown_share: float | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Choose the threshold of the lane in FOLDER from examples that fit never saw. Exit code 2 if none qualifies."""
    from denotary.errors import ExitCode, InputError
    from denotary.files import read_records
    from denotary.resolver.semantic import calibrate as choose
    from denotary.resolver.semantic.records import Example

    if examples is None:
        raise InputError("a threshold needs labelled texts that fit never saw", hint="give --examples FILE")
    found = choose(
        folder,
        read_records(examples, Example),
        limit=limit,
        unknown_limit=unknown_limit,
        delta=delta,
        unknown_share=unknown_share,
    )
    shown = {
        "threshold": "none qualifies; the lane refuses everything"
        if found.threshold is None
        else found.threshold,
        "limit": found.limit,
        "delta": found.delta,
        "unknown_share": "as found" if found.unknown_share is None else found.unknown_share,
        "known": f"{found.accepted_known} of {found.known} accepted, {found.wrong_known} of them wrong",
        "unknown": f"{found.accepted_unknown} of {found.unknown} accepted",
        "refused_by_checks": f"{found.refused_known} known, {found.refused_unknown} unknown",
        "units": "each text by itself" if found.units is None else found.units,
        "calibration_hash": found.hash,
        **({"needed": _needed(found)} if found.threshold is None else {}),
    }
    told = [] if found.threshold is None else list(_warnings(found))
    _print(shown | ({"warnings": told} if as_json else {}), as_json=as_json, quiet=quiet)
    for warning in () if quiet else told:
        click.echo(f"warning: {warning}", err=True)
    return ExitCode.INSUFFICIENT if found.threshold is None else ExitCode.PROMOTE


def _warnings(found: Calibration) -> Iterator[str]:
    """Yield why a threshold gives the lane more authority than a shipped policy would let it have."""
    from denotary.suites.instrument import instrument
    from denotary.verdicts.policy_lint import laxest_limit
    from denotary.words import percent, plural

    identity = instrument("identity")
    wrong, false = (laxest_limit(identity, measure) for measure in ("assignment_risk", "unknown_far"))
    if found.limit > wrong:
        yield (
            f"the limit of {percent(found.limit)} is looser than that of every shipped policy under which a code may "
            f"be assigned ({percent(wrong)}); the lane assigns codes all the same"
        )
    if not found.unknown:
        yield "no calibration text is unknown, so nothing says how many such texts the lane answers"
    elif found.accepted_unknown > false * found.unknown:
        yield (
            f"of {plural(found.unknown, 'unknown text')} the lane answers {found.accepted_unknown:,}, more than the "
            f"{percent(false)} that the laxest shipped policy tolerates; --unknown-limit {false:g} bounds it"
        )


def _needed(found: Calibration) -> str:
    """Return how many units a threshold takes at least, beside how many there were."""
    from denotary.resolver.semantic.certifying import least_units
    from denotary.words import plural

    single = found.units is None
    least = least_units(found.limit, delta=found.delta, share=found.unknown_share, single=single)
    known = found.unknown_share is not None
    kind = ("known text" if known else "text") if single else "unit"
    had = found.units if found.units is not None else found.known + (0 if known else found.unknown)
    return (
        f"at least {plural(least, kind)} accepted without an error; there were {plural(had, kind)} to accept"
    )


@click.command(short_help="Show why the lane in FOLDER answers TEXT as it does.")
@folder_argument
@click.argument("text")
@click.option("--language", help="Tag of the text's language (BCP 47); default: that of the lane's texts.")
@json_option
@quiet_option
def explain(folder: Path, text: str, *, language: str | None, as_json: bool, quiet: bool) -> None:
    """Show why the lane in FOLDER answers TEXT as it does: decision, candidates, threshold and every digest."""
    from denotary.resolver.semantic import SemanticLane

    answer = SemanticLane(folder).resolve({"text": text, "language": language})
    if as_json:
        print_json(answer)
    elif not quiet:
        evidence = answer["evidence"]
        print_fields(answer["decision"])
        click.echo("")
        heads = [name for name in (evidence or [{}])[0] if name != "kind"]
        print_table(heads, [[item[name] for name in heads] for item in evidence])
        click.echo("")
        print_fields(answer["provenance"])


def _print(shown: Mapping[str, object], *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json(shown)
    elif not quiet:
        print_fields(dict(shown))

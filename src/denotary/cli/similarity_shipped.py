"""``denotary similarity shipped``: the real gates of installed libraries, at their defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from denotary.cli.common import (
    json_option,
    print_fields,
    print_json,
    print_table,
    quiet_option,
    results_alone,
)
from denotary.cli.counting import counting
from denotary.cli.similarity_audit import corpus_option
from denotary.cli.similarity_guard import print_guard, short

if TYPE_CHECKING:
    from pathlib import Path

    from denotary.instruments.similarity.results import ShippedGate


@click.command(short_help="Ask the real gates of installed libraries about matched pairs.")
@click.argument("names", nargs=-1, metavar="GATES")
@click.option(
    "--encoder", default="minilm", show_default=True, help="Plugged into the gate through its own interface."
)
@corpus_option
@json_option
@quiet_option
def shipped(names: tuple[str, ...], *, encoder: str, corpus: Path | None, as_json: bool, quiet: bool) -> None:
    """Run similarity gates as they ship, each at its own default, and count their wrong decisions.

    GATES are langchain (EmbeddingsRedundantFilter), llama-index (SemanticSimilarityEvaluator), gptcache (the semantic
    cache) and semantic-router. Without a name all that are installed are asked. Cutoffs are read from the installed
    components.
    """
    from denotary.encoders import load_encoder
    from denotary.errors import InputError
    from denotary.instruments.similarity.corpus import load_corpus
    from denotary.instruments.similarity.shipped import KNOWN, audit_gate, installed_gates, open_gate

    asked = names or tuple(installed_gates())
    if not asked:
        extras = ",".join(f"gate-{name}" for name in KNOWN)
        raise InputError("no library with a gate is installed", hint=f"pip install 'denotary[{extras}]'")
    loaded = load_corpus(corpus)
    found = []
    with results_alone():
        plugged = load_encoder(encoder)
        for component in [open_gate(name, plugged) for name in asked]:
            with counting(len(loaded.pairs), component.name, "pairs", hidden=quiet) as update:
                found.append(audit_gate(component, loaded, encoder=encoder, progress=update))
    if as_json:
        print_json(found)
    elif not quiet:
        for gate in found:
            _page(gate)
        for note in loaded.notes:
            click.echo(note)


def _page(found: ShippedGate) -> None:
    click.echo(f"\n{found.gate}: {found.component} of {found.package} {found.version}")
    print_fields(
        {
            "treats as the same": found.rule,
            "cutoff": "none" if found.cutoff is None else f"{found.cutoff:g} (read from {found.read_from})",
            "encoder": found.encoder,
            "errors": f"{found.errors:,} of {found.pairs:,}, counted as wrong",
            **{
                f"opposite pairs of which it kept the {place}": number for place, number in found.kept.items()
            },
        }
    )
    if found.remark:
        click.echo(found.remark)
    print_table(
        ("task", "overlap", "wrong approvals", "bound", "wrong rejections", "bound", "J"),
        [
            (
                row.task, row.pole or "both", f"{row.wrong_approvals}/{row.opposites}", short(row.approval_bound),
                f"{row.wrong_rejections}/{row.sames}", short(row.rejection_bound),
                short(row.youden),
            )
            for row in found.operating
        ],
    )  # fmt: skip
    print_guard(found.guard)

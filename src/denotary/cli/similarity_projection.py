"""``denotary similarity projection-check``: does a distance after the encoder rank as cosine does?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from denotary.cli.common import json_option, print_json, print_table, quiet_option, results_alone

if TYPE_CHECKING:
    from denotary.instruments.similarity.projection import ProjectionCheck


@click.command("projection-check", short_help="Does a distance after the encoder rank as cosine does?")
@click.option(
    "--poincare",
    "curvatures",
    multiple=True,
    type=float,
    metavar="C",
    help="The distance after the exponential map into the Poincare ball of this curvature; may be repeated.",
)
@click.option(
    "--distance",
    "targets",
    multiple=True,
    metavar="MODULE:NAME",
    help="Your own: rows of two arrays of vectors to an array of distances; may be repeated.",
)
@click.option("--encoder", help="Take the dimension of this encoder, such as minilm.")
@click.option("--dimension", type=click.IntRange(2), help="Dimension of the vectors; default: 384.")
@click.option(
    "--vectors", type=click.IntRange(2, 2000), default=200, show_default=True, help="Random vectors."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the vectors.")
@json_option
@quiet_option
def projection_check(
    *,
    curvatures: tuple[float, ...],
    targets: tuple[str, ...],
    encoder: str | None,
    dimension: int | None,
    vectors: int,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Try distances on random unit vectors: a strictly falling function of cosine adds nothing to cosine.

    Nothing is concluded of vectors that are not of unit length. For the Poincare ball the general formula is also
    compared with its closed form on unit vectors.
    """
    if not curvatures and not targets:
        raise click.UsageError("name a distance: --poincare C or --distance MODULE:NAME")
    if encoder is not None and dimension is not None:
        raise click.UsageError("give --encoder or --dimension, not both")
    with results_alone():
        size = _dimension(encoder) if encoder else dimension or 384
        found = _checks(curvatures, targets, dimension=size, vectors=vectors, seed=seed)
    if as_json:
        print_json(found)
    elif not quiet:
        for check in found:
            click.echo(f"{check.distance}: {check.sentence}")
        click.echo()
        print_table(
            ("distance", "finding", "tau", "largest reversal", "ties", "from closed form", "pairs"),
            [
                (
                    c.distance, c.finding, c.tau, f"{c.reversal:.1e}", c.tied,
                    "" if c.closed_form is None else f"{c.closed_form:.1e}", c.pairs,
                )
                for c in found
            ],
        )  # fmt: skip


def _dimension(encoder: str) -> int:
    from denotary.encoders import load_encoder

    return int(load_encoder(encoder).encode(["one text"]).shape[1])


def _checks(
    curvatures: tuple[float, ...], targets: tuple[str, ...], *, dimension: int, vectors: int, seed: int
) -> list[ProjectionCheck]:
    from functools import partial

    from denotary.importing import import_callable
    from denotary.instruments.similarity import projection

    found = [
        projection.check_projection(
            projection.poincare(curvature),
            f"poincare c={curvature:g}",
            dimension=dimension,
            vectors=vectors,
            seed=seed,
            closed_form=partial(projection.poincare_on_unit_vectors, curvature=curvature),
        )
        for curvature in curvatures
    ]
    return found + [
        projection.check_projection(
            import_callable(target), target, dimension=dimension, vectors=vectors, seed=seed
        )
        for target in targets
    ]

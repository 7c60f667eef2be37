"""``denotary similarity``: gates that compare two texts by a score. Each command comes from a module of its own."""

from __future__ import annotations

import click

from denotary.cli.similarity_audit import audit, check
from denotary.cli.similarity_pairs import polarity_pack, propose
from denotary.cli.similarity_projection import projection_check
from denotary.cli.similarity_repair import repair
from denotary.cli.similarity_scan import scan
from denotary.cli.similarity_shipped import shipped
from denotary.cli.similarity_suite import suite


@click.group()
def similarity() -> None:
    """Find and audit gates that compare two texts by a similarity score."""


similarity.add_command(audit)
similarity.add_command(check)
similarity.add_command(polarity_pack)
similarity.add_command(projection_check)
similarity.add_command(propose)
similarity.add_command(repair)
similarity.add_command(scan)
similarity.add_command(shipped)
similarity.add_command(suite)

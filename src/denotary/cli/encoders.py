"""``denotary encoders``: which encoders there are, and which can be loaded here."""

from __future__ import annotations

import click

from denotary.cli.common import json_option, print_json, print_table


@click.command()
@json_option
def encoders(*, as_json: bool) -> None:
    """List the encoders that turn texts into vectors, and what installs those that are absent."""
    from denotary.encoders import installed_encoders

    offers = installed_encoders()
    if as_json:
        print_json(
            [
                {
                    "name": offer.name,
                    "installed": offer.installed,
                    "about": offer.about,
                    "extra": offer.extra or None,
                }
                for offer in offers
            ]
        )
        return
    rows = [
        (offer.name, "yes" if offer.installed else f"denotary[{offer.extra}]", offer.about)
        for offer in offers
    ]
    print_table(["name", "installed", "about"], rows)

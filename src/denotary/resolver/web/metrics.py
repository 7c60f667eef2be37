"""The counts of a service in the text format of Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FAMILIES = {
    "response": ("denotary_responses_total", "Responses by route and status.", ("route", "status")),
    "answer": ("denotary_answers_total", "Answers by disposition.", ("disposition",)),
}
"""By the first part of a count's key: name of the metric, its help, and the labels of the other parts."""


def exposition(counts: Mapping[tuple[str, ...], int]) -> str:
    """Return the counts, sorted. Labels are routes, statuses and dispositions: a closed set, nothing that was sent."""
    lines = []
    for kind, (name, about, labels) in FAMILIES.items():
        lines += [f"# HELP {name} {about}", f"# TYPE {name} counter"]
        for key, count in sorted(counts.items()):
            if key[0] == kind:
                pairs = ",".join(f'{label}="{value}"' for label, value in zip(labels, key[1:], strict=True))
                lines.append(f"{name}{{{pairs}}} {count}")
    return "\n".join(lines) + "\n"

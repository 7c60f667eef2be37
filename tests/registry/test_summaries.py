"""What ``registry show`` prints."""

from typing import Any

from denotary.registry import freeze, load_registry, summary


def test_counts_and_hashes(build: Any, make: Any) -> None:
    folder = build(
        make.expression("x1", "planet Mercury", "planet"),
        make.expression("x2", "Merkur", "planet", language="de-AT"),
        make.expression("x3", "bad", review={"by": "a", "on": "2026-01-31", "status": "rejected"}),
        ambiguities=[make.ambiguity("a1", "Hg", "open")],
    )
    draft = summary(load_registry(folder))
    assert draft["state"] == "draft"
    assert draft["expressions"] == 3
    assert draft["expressions_by_language"] == {"de": 1, "en": 2}
    assert draft["expressions_by_review"] == {"approved": 2, "rejected": 1}
    assert draft["consequence_tiers"] == {"C2": 2}
    assert draft["ambiguities"] == {"open": 1}
    assert "snapshot" not in draft
    lock = freeze(folder)
    frozen = summary(load_registry(folder))
    assert frozen["snapshot"] == lock.snapshot_id
    assert {**frozen, "state": "draft"}.items() >= draft.items()

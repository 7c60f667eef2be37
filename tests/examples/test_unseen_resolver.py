"""Triage on a resolver that its rules were not written with: two planted faults, family, tags and notes hidden.

Beside its faults the resolver answers every text as the suite does, so that each failure is due to one of them.
"""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import denotary as dn
from denotary import systems
from denotary.certify import certify

EXAMPLE = Path(__file__).parents[2] / "examples" / "badly_behaved"
READ = 60
"""Characters that it reads of a text: the rest is cut off in silence."""
LONG = 160
"""Texts longer than this lose more than half of what they say."""
SWAPPED = {"representation.human_visible": "representation.machine_readable"}
"""A code that it takes for a sibling wherever it is right, by a slip in its table."""
TRUNCATION, SIBLING = "E22", "E01"


@pytest.fixture(scope="module")
def helpers() -> Any:
    sys.path.insert(0, str(EXAMPLE))
    try:
        import causes
        import resolvers

        return causes.hidden, resolvers
    finally:
        sys.path.remove(str(EXAMPLE))


def fault(case: Any) -> str:
    """Return the root cause that is right for a failure on a case, or an empty string."""
    if len(case.input.text or "") > LONG:
        return TRUNCATION
    return SIBLING if SWAPPED.keys() & set(case.gold.acceptable_concept_codes[:1]) else ""


def unseen(suite: Any, resolvers: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    right = {(case.input.text or "", case.input.language): case for case in suite.cases}
    nearest = resolvers.nearest_neighbour(suite.registry)

    def resolve(request: dict[str, Any]) -> dict[str, Any]:
        text = request.get("text") or ""
        if len(text) > LONG:
            answer: dict[str, Any] = nearest({**request, "text": text[:READ]})
            return answer
        case = right[text, request.get("language")]
        if case.gold.disposition != "SINGLE":
            refused: dict[str, Any] = resolvers.refuse(request)
            return refused
        code = case.gold.acceptable_concept_codes[0]
        assigned: dict[str, Any] = resolvers.assign(request, SWAPPED.get(code, code), 0.9)
        return assigned

    return resolve


def test_the_page_tells_what_triage_makes_of_faults_that_it_has_not_seen(
    helpers: Any, tmp_path: Path
) -> None:
    hidden, resolvers = helpers
    suite = dn.load_suite("bundled:first-thousand")
    run = certify(systems.python(unseen(suite, resolvers)), suite, "c3", tmp_path / "out", concurrency=1).run
    cases = {case.record_id: case for case in suite.cases}
    found = Counter(
        (fault(cases[failure.case]), failure.proposed or "none")
        for failure in run.suite.instrument.failures(hidden(run.suite), run.answers)
        if failure.counts and failure.answered
    )
    assert {due for due, _ in found} >= {TRUNCATION, SIBLING}
    page = (EXAMPLE.parents[1] / "docs/case-studies/badly-behaved.md").read_text("utf-8")
    for due in (TRUNCATION, SIBLING):
        proposed = {code: count for (cause, code), count in found.items() if cause == due}
        right, none = proposed.pop(due, 0), proposed.pop("none", 0)
        others = ", ".join(f"{code} {proposed[code]}" for code in sorted(proposed)) or "-"
        made = right + none + sum(proposed.values())
        assert f"| {due} | {made} | {right} | {others} | {none} |" in page, (due, made, right, others, none)

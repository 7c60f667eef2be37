"""Policies and gates, from the policy files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.instruments.identity.instrument import INSTRUMENT as IDENTITY
from denotary.instruments.similarity.instrument import INSTRUMENT as SIMILARITY
from denotary.suites.checking import MAY_BE_SEEN
from denotary.verdicts import load_policy, prospect
from denotary.verdicts.policy_problems import TRACKS, supports
from denotary.words import DECISION_MEANING, ROLES, VERDICT_MEANING, VERDICT_ORDER, percent, points
from reference_pages.markdown import code, codes, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denotary.verdicts.records import Gate, Policy

INTRO = """# Policies and gates

A policy is a TOML file: a confidence, a number of looks, the roles whose evidence it accepts, and gates. Every gate
must hold by itself; nothing is averaged over gates. `--policy` takes the name of a shipped policy or the path of your
own.

## From gates to a decision

| a gate is | when |
| --- | --- |
"""

KINDS = """
Five kinds of gate exist.

| kind | compares | fails |
| --- | --- | --- |
| `bound` | a one-sided bound with the limit | if the observed value itself is beyond the limit |
| `zero` | the events with none; with a limit the one-sided bound too | on any event |
| `systematic` | a fact, whether confusions form a pattern | if the fact is false |
| `evidence` | a fact that must be declared or shown | if the contrary was seen; insufficient if unknown |
| `paired` | the one-sided bound of the increase in harm with the limit | if its lower bound is above 0 |

A policy with `design = "paired"` judges two runs:
[a release against the version before it](../how-to/compare-releases.md). Only there gates of kind `paired` may stand,
and their limits are tolerances. The other gates of such a policy read
[events over pairs of cases](measures.md#events-over-pairs-of-cases). All other policies judge one run.

An empty denominator never passes. The bound is exact where every unit holds one case, else the order-free betting
bound; see [bounds that fit the claim](../explanation/bounds.md). Each gate spends (1 - confidence) / looks. The larger
number of looks counts, the policy's or the suite's.

"""

TRACK = """
## Track {name}

{titles}
{titles_of_gates}
{about}

{gates}
Where the evidence cannot be had, these policies say what to do instead. It is never a looser limit.

{instead}
"""

LEAST = "Each limit stands with the least number of independent units."
ALIKE = (
    "Each tolerance is in percentage points (pp) and stands with the number of independent units that must come out "
    "alike with both systems for a pass. Each unit that became worse raises it, see `denotary plan`."
)

OWN = """
## A policy of your own

Copy a shipped file and change it; `certify` writes the policy it used to `policy.toml` in its output folder. The
certificate says that the policy is not a shipped one. A policy that could not block anything is refused. Fields:
[policy](files.md#policy) and [gate](files.md#gate).
"""

WAIVERS = """
## A policy of your own

`--policy` takes the path of one. `denotary policy check FILE` tells what it asks less of than the shipped policies: as
a warning against the mildest of its track, and as an error against the policy of the tier that it names. A policy that
names a tier and asks for less is refused, since its verdict would read like the tier's.

## Waivers

A gate can be set aside by somebody, for a reason, until a day. `certify --waivers FILE --today DATE` reads a TOML file
with one `[[waiver]]` table each; the clock is never read. The waiver stands on the first line of every report, and
whether the gate fails without it. A waiver that is expired or not whole is ignored and named there. So is one of
a gate that proves something once and for all: kind `evidence`, `zero` with a fact, and all of track `registry-exact`.
Fields: [waiver](files.md#waiver).

```toml
[[waiver]]
gate = "adversarial"
who = "head of support"
why = "the channel takes no free text from strangers"
until = "2027-03-31"
```
"""


def page() -> str:
    """Return the page."""
    policies = [
        load_policy(path, owner)
        for owner in (IDENTITY, SIMILARITY)
        for path in sorted(owner.policies.glob("*.toml"))
    ]
    tracks: dict[str, list[Policy]] = {}
    for policy in policies:
        tracks.setdefault(policy.track, []).append(policy)
    rows = "".join(f"| {code(name)} | {VERDICT_MEANING[name]} |\n" for name in reversed(VERDICT_ORDER))
    decisions = table(
        ("decision", "when"), [(code(name), meaning) for name, meaning in DECISION_MEANING.items()]
    )
    kinds = KINDS + _roles(policies)
    body = "".join(_track(name, found) for name, found in tracks.items())
    return INTRO + rows + "\n" + decisions + kinds + body + OWN + WAIVERS


def _roles(policies: Sequence[Policy]) -> str:
    head = "## What a corpus may support\n\n"
    rows = [
        (code(role), ROLES[role], codes(_tracks(role, policies)), ", ".join(visible))
        for role, visible in MAY_BE_SEEN.items()
    ]
    return head + table(("role", "supports", "tracks it may promote", "visibility of its cases"), rows)


def _tracks(role: str, policies: Sequence[Policy]) -> list[str]:
    """Return the tracks that a role may promote: the one it is made for, or those of the shipped policies."""
    only = TRACKS.get(role)
    return [only] if only else sorted({policy.track for policy in policies if supports(role, policy)})


def _track(name: str, policies: Sequence[Policy]) -> str:
    titles = table(
        ("policy", "title", "confidence", "looks", "roles that may promote"),
        [(code(p.id), p.title, f"{p.confidence:g}", p.looks, codes(p.roles)) for p in policies],
    )
    owned = {gate.id: (gate, policy.instrument) for policy in policies for gate in policy.gates}
    gates = [gate for gate, _ in owned.values()]
    heads = ("gate", "reads", "slices", *(policy.id for policy in policies))
    limits = [
        (code(gate.id), _reads(gate, instrument), codes(gate.slices), *_limits(gate.id, policies))
        for gate, instrument in owned.values()
    ]
    instead = {text: None for policy in policies for text in policy.instead}
    what = "\n".join(f"* {text}" for text in instead)
    paired = any(policy.design == "paired" for policy in policies)
    return TRACK.format(
        name=name,
        about=ALIKE if paired else LEAST,
        titles=titles,
        titles_of_gates=table(("gate", "title", "why"), [(code(g.id), g.title, g.why) for g in gates]),
        gates=table(heads, limits),
        instead=what,
    )


def _reads(gate: Gate, instrument: str) -> str:
    listed = "measures" if instrument == IDENTITY.name else instrument
    measure = f"[`{gate.measure}`]({listed}.md#{gate.measure})" if gate.measure else ""
    fact = f"fact {code(gate.fact)}" if gate.fact else ""
    depth = f"depth {gate.depth}" if gate.depth else ""
    aside = "may be not applicable" if gate.allow_not_expressible else ""
    return ", ".join(filter(None, (gate.kind, measure, fact, depth, aside)))


def _alike(gate: Gate) -> int:
    """Return how many units a PASS takes if none of them differs."""
    return prospect(gate, "all", alpha=0.05).needs[0].units


def _limits(name: str, policies: Sequence[Policy]) -> Iterator[str]:
    for policy in policies:
        gate = next((gate for gate in policy.gates if gate.id == name), None)
        if gate is None:
            yield ""
        elif gate.limit is None:
            least = f", {gate.minimum_units:,} units" if gate.minimum_units > 1 else ""
            yield f"none tolerated{least}" if gate.kind == "zero" else "must hold"
        else:
            sign = "≥" if gate.side == "lower" else "≤"
            if gate.kind == "paired":
                yield f"{sign} {points(gate.limit)}, {_alike(gate):,} units"
                continue
            none = "none tolerated, " if gate.kind == "zero" else ""
            yield f"{none}{sign} {percent(gate.limit)}, {gate.minimum_units:,} units"

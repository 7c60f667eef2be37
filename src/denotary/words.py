"""The sentences and the numbers that every projection of a verdict shares: page, terminal, Markdown.

A number is never rounded to the good side: an upper bound is rounded up, a lower bound down, and a share that is not
0 or 1 is never printed as 0 % or 100 %.
"""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denotary.measures.records import ComparisonRow, Row
    from denotary.verdicts.records import GateResult, Standing, Verdict, Waiver

WITHOUT_WAIVER = "; without the waiver: "
"""What stands before the reason that a gate has by itself, in the reason of one that was waived."""
SIGNIFICANT = 0.05
"""Error probability at which a test is called significant in words."""
NOTHING = "\N{EN DASH}"
"""What stands where there is no number."""

DECISIONS = {
    "PROMOTE": "Promote",
    "BLOCK": "Block the release",
    "INSUFFICIENT": "Do not promote: the evidence is insufficient",
}
DECISION_MEANING = {
    "PROMOTE": "Every gate of the policy passes on evidence that may support it.",
    "BLOCK": "At least one gate fails. Evidence from any corpus can block.",
    "INSUFFICIENT": "Nothing was found that blocks the release, and the claim of the policy is not shown.",
}
VERDICTS = {
    "PASS": "Pass",
    "FAIL": "Fail",
    "INSUFFICIENT": "Insufficient evidence",
    "EXPLORATORY": "Exploratory",
    "NOT_APPLICABLE": "Not applicable",
    "NOT_EXPRESSIBLE": "Not expressible",
    "WAIVED": "Waived",
}
VERDICT_MEANING = {
    "PASS": "the bound is within the limit",
    "FAIL": "the observed value is beyond the limit, or an event in a gate that tolerates none",
    "INSUFFICIENT": "neither shown nor refuted by this much evidence",
    "EXPLORATORY": "within the limit, on a corpus or a review that cannot support the claim",
    "NOT_APPLICABLE": "the policy asks this of other systems",
    "NOT_EXPRESSIBLE": "the system has no way to give this answer",
    "WAIVED": "set aside by a named person until a date",
}
VERDICT_ORDER = ("FAIL", "INSUFFICIENT", "EXPLORATORY", "WAIVED", "NOT_EXPRESSIBLE", "NOT_APPLICABLE", "PASS")
"""What needs attention first, first."""
OUTCOMES = {
    "right": ("Right", "the code, or the act, that the gold names"),
    "wrong": ("Wrong", "a code, or an act, that the gold does not allow"),
    "refused_rightly": ("Refused rightly", "no code or act was justified, and none came"),
    "refused_otherwise": (
        "Refused otherwise",
        "a refusal where a code or an act was due, or of another kind than the gold's",
    ),
    "undecided": ("Not decided", "a score came, and no decision"),
    "invalid_output": ("Invalid output", "the reply is no answer"),
    "error": ("Error", "the call failed"),
    "timeout": ("Timeout", "no reply in time"),
    "not_run": ("Not run", "planned and never asked"),
}
FAILURES_FIRST = (
    "wrong",
    "invalid_output",
    "error",
    "timeout",
    "not_run",
    "undecided",
    "refused_otherwise",
    "refused_rightly",
    "right",
)
STATUSES = {
    "SUFFICIENT": "sufficient",
    "INSUFFICIENT": "insufficient evaluation evidence",
    "NOT_APPLICABLE": "not applicable",
}
ROLES = {
    "registry-exact-conformance": "supports registry conformance only",
    "public-diagnostic": "public: can block a release, can never certify one",
    "calibration": "for choosing a threshold: can block, can never certify",
    "sealed-certification": "sealed: may support certification",
    "regression": "supports non-regression only",
}
ACRONYMS = {
    "faar": "FAAR",
    "hncr": "HNCR",
    "mrr": "MRR",
    "ece": "ECE",
    "mce": "MCE",
    "nll": "NLL",
    "aurc": "AURC",
}


def plain(name: str) -> str:
    """Return an identifier such as ``unknown_far`` as words."""
    words = name.replace("_", " ").replace("-", " ").strip()
    return ACRONYMS.get(name, words[:1].upper() + words[1:])


def plural(count: int, noun: str, many: str = "") -> str:
    """Return ``1 case`` or ``1,000 cases``."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def percent(share: float | None, rounding: Literal["near", "up", "down"] = "near") -> str:
    """Return a share of 1 as a percentage: one decimal in the middle, finer near 0 % and near 100 %.

    Below 10 % it has three significant digits; above 90 % the distance to 100 % has three.

    Args:
        share: finite, usually in [0, 1].
        rounding: ``up`` for upper bounds, ``down`` for lower ones.
    """
    if share is None:
        return NOTHING
    value = Decimal(repr(float(share))) * 100
    mode = {"near": ROUND_HALF_EVEN, "up": ROUND_CEILING, "down": ROUND_FLOOR}[rounding]
    return f"{_trim(value.quantize(_step(value, rounding), rounding=mode))} %"


def points(difference: float | None, rounding: Literal["near", "up", "down"] = "near") -> str:
    """Return a difference of two shares in percentage points, with its sign: ``+0.42 pp``.

    Below 10 points it has three significant digits, at most three of them decimals; no difference is ``0 pp``.

    Args:
        difference: finite, in [-1, 1].
        rounding: ``up`` for upper bounds, ``down`` for lower ones.
    """
    if difference is None:
        return NOTHING
    value = Decimal(repr(float(difference))) * 100
    step = Decimal("0.1") if value == 0 else Decimal(1).scaleb(max(min(value.adjusted() - 2, -1), -3))
    mode = {"near": ROUND_HALF_EVEN, "up": ROUND_CEILING, "down": ROUND_FLOOR}[rounding]
    shown = value.quantize(step, rounding=mode)
    return f"{'+' if shown > 0 else ''}{_trim(shown) if shown else '0'} pp"


def _step(value: Decimal, rounding: str) -> Decimal:
    """Return the last digit worth printing: finer near 0 and near 100, where the difference matters.

    An upper bound near 100 and a lower bound near 0 say nothing, however many digits they have.
    """
    distance = min(abs(value), abs(100 - value))
    if distance == 0 or distance >= 10:  # noqa: PLR2004 - ten per cent
        return Decimal("0.1")
    low = value < 50  # noqa: PLR2004 - half
    step = Decimal(1).scaleb(distance.adjusted() - 2)
    idle = rounding == ("down" if low else "up")
    return max(step, Decimal("0.001")) if idle else step


def _trim(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def number(value: float | None) -> str:
    """Return a figure that is no share, to four significant digits."""
    return NOTHING if value is None else f"{value:.4g}"


def p_value(p: float | None) -> str:
    """Return a p-value to two significant digits: ``0.031``, ``3.7e-09``, ``1``."""
    return NOTHING if p is None else f"{p:.2g}"


def fraction(numerator: int | None, denominator: int | None) -> str:
    """Return ``3 of 142``; a dash where the measure counts nothing."""
    if numerator is None or denominator is None:
        return NOTHING
    return f"{numerator:,} of {denominator:,}"


def interval(low: float | None, high: float | None, *, share: bool = True) -> str:
    """Return ``0.48 to 4.04 %``, rounded outwards."""
    if low is None or high is None:
        return NOTHING
    if not share:
        return f"{number(low)} to {number(high)}"
    return f"{percent(low, 'down').removesuffix(' %')} to {percent(high, 'up')}"


def bound(value: float | None, *, upper: bool = True, share: bool = True) -> str:
    """Return ``≤ 0.94 %`` for an upper bound and ``≥ 98.2 %`` for a lower one."""
    if value is None:
        return NOTHING
    text = percent(value, "up" if upper else "down") if share else number(value)
    return f"{'≤' if upper else '≥'} {text}"


def difference(low: float | None, high: float | None) -> str:
    """Return ``-0.2 to +1.31 pp``, rounded outwards."""
    if low is None or high is None:
        return NOTHING
    return f"{points(low, 'down').removesuffix(' pp')} to {points(high, 'up')}"


def moved(row: ComparisonRow) -> str:
    """Return ``3 worse, 1 better``; of a ratio, whose denominator moves too, the units with more and fewer events."""
    if not row.ratio:
        return f"{row.worse:,} worse, {row.better:,} better"
    more, fewer = (row.worse, row.better) if row.direction == "lower" else (row.better, row.worse)
    return f"{more:,} with more events, {fewer:,} with fewer"


def gate_value(gate: GateResult) -> str:
    """Return the observed value of a gate: a share, a score, or the increase over another system."""
    if gate.paired:
        return points(gate.value)
    return percent(gate.value) if gate.numerator is not None else number(gate.value)


def gate_interval(gate: GateResult) -> str:
    """Return the two-sided interval of a gate's value; empty without a value."""
    if gate.value is None:
        return ""
    if gate.paired:
        return difference(gate.low, gate.high)
    return interval(gate.low, gate.high, share=gate.numerator is not None)


def gate_bound(gate: GateResult) -> str:
    """Return the one-sided bound that a gate compares with its limit."""
    if gate.paired and gate.bound is not None:
        return f"≤ {points(gate.bound, 'up')}"
    return bound(gate.bound, upper=gate.side == "upper", share=gate.numerator is not None)


def gate_limit(gate: GateResult) -> str:
    """Return the limit of a gate; a policy takes limits between 0 and 1 alone."""
    if gate.paired and gate.limit is not None:
        return f"≤ {points(gate.limit)}"
    limit = bound(gate.limit, upper=gate.side == "upper")
    return f"none, {limit}" if gate.none_tolerated and gate.limit is not None else limit


def gate_counted(gate: GateResult) -> str:
    """Return ``3 of 142``: what counts against a gate, of how many; of two systems, ``3 of 142, before 1 of 142``."""
    failures = gate.numerator
    if failures is not None and gate.denominator is not None and gate.side == "lower":
        failures = gate.denominator - failures
    counted = fraction(failures, gate.denominator)
    before = fraction(gate.base_numerator, gate.base_denominator)
    return f"{counted}, before {before}" if gate.paired and before != NOTHING else counted


def is_share(row: Row) -> bool:
    """Tell whether a row's value is a share (a rate or ratio) and not a statistic such as a score."""
    return row.numerator is not None


def row_value(row: Row) -> str:
    """Return the value of a row, or what an empty denominator is."""
    return percent(row.value) if is_share(row) else number(row.value)


def row_interval(row: Row) -> str:
    """Return the two-sided interval of a row."""
    return interval(row.low, row.high, share=is_share(row))


def row_bound(row: Row) -> str:
    """Return the one-sided bound of a row, on its bad side."""
    return bound(row.bound, upper=row.direction == "lower", share=is_share(row))


def slice_name(name: str) -> str:
    """Return ``language=hi`` as ``language hi``, ``language:advertised`` as ``advertised language``."""
    if name == "all":
        return "all cases"
    axis, colon, group = name.partition(":")
    if colon and "=" not in axis:
        return f"{group} {axis.replace('_', ' ')}"
    axis, _, group = name.partition("=")
    return f"{axis.replace('_', ' ')} {group}"


def short_slice(name: str, most: int) -> str:
    """Return the name of a slice in at most so many characters: a dotted code by its last part, cut if need be."""
    axis, space, group = slice_name(name).rpartition(" ")
    return fit(f"{axis}{space}{group.rpartition('.')[2] or group}", most)


def fit(label: str, characters: int) -> str:
    """Return a label cut in its middle to at most so many characters; both ends tell labels apart."""
    if len(label) <= characters:
        return label
    tail = (characters - 1) // 2
    return f"{label[: characters - 1 - tail]}…{label[len(label) - tail :]}"


def tally(gates: Sequence[GateResult]) -> list[tuple[str, int]]:
    """Return how many gate results have each verdict, what needs attention first."""
    found = [gate.verdict for gate in gates]
    return [(verdict, found.count(verdict)) for verdict in VERDICT_ORDER if verdict in found]


def tally_sentence(gates: Sequence[GateResult]) -> str:
    """Return the tally in words: ``2 fail, 5 insufficient evidence, 9 pass``."""
    return ", ".join(f"{count} {VERDICTS[verdict].lower()}" for verdict, count in tally(gates))


def standings_sentence(standings: Sequence[Standing]) -> str:
    """Return the groups by tier, the highest first: ``L2 qualified: en; L0 unsupported: de, hi``."""
    tiers: dict[tuple[str, str], list[str]] = {}
    for item in sorted(standings, key=lambda item: item.tier, reverse=True):
        tiers.setdefault((item.tier, item.title), []).append(item.slice.partition("=")[2])
    return "; ".join(f"{tier} {title}: {', '.join(groups)}" for (tier, title), groups in tiers.items())


def marks(verdict: Verdict, illustrative: Sequence[str]) -> list[tuple[str, str]]:
    """Return what must be read together with the decision, as (mark, sentence)."""
    qualified = verdict.qualification.removeprefix("qualification only: ")
    found = [("Qualification only", qualified)] if qualified else []
    found += [("Waived", waiver_sentence(waiver, verdict.gates)) for waiver in verdict.waivers]
    found += [("Waiver ignored", sentence) for sentence in verdict.waivers_ignored]
    exploratory = sum(gate.verdict == "EXPLORATORY" for gate in verdict.gates)
    if exploratory:
        found.append(
            ("Exploratory", f"{plural(exploratory, 'gate result')} cannot promote, whatever the value.")
        )
    found += [("Illustrative", sentence) for sentence in illustrative]
    return found


def waiver_sentence(waiver: Waiver, gates: Sequence[GateResult]) -> str:
    """Return who set a gate aside, why and until when, and what the gate says without the waiver."""
    aside = [gate for gate in gates if gate.gate == waiver.gate and gate.verdict == "WAIVED"]
    failed = [gate for gate in aside if gate.underlying == "FAIL"]
    if failed:
        without = f"IT FAILS without the waiver: {failed[0].reason.partition(WITHOUT_WAIVER)[2]}"
    else:
        without = (
            "without the waiver it is not shown" if aside else "without the waiver it is judged the same"
        )
    return f"gate {waiver.gate} is set aside by {waiver.who} until {waiver.until}: {waiver.why}; {without}"


def first_line(verdict: Verdict, illustrative: Sequence[str] = ()) -> str:
    """Return the one line that begins every projection: decision, why, and what qualifies it."""
    tail = "".join(f" [{mark}: {sentence}]" for mark, sentence in marks(verdict, illustrative))
    return f"{DECISIONS[verdict.decision]}. {why(verdict)}{tail}"


def why(verdict: Verdict) -> str:
    """Return the reason of a decision as a sentence, its gates by their titles."""
    titles = {gate.gate: gate.title for gate in verdict.gates}
    head, colon, tail = brief(verdict.reason).partition(": ")
    if not colon:
        return sentence_case(head)
    named = re.sub(r"(^|, |: )(\w+)(?=$|,| and | \(| \[|;)", lambda m: m[1] + titles.get(m[2], m[2]), tail)
    return sentence_case(f"{head}: {named}")


def brief(reason: str, most: int = 3) -> str:
    """Return a reason with the list after its colon cut: three names, then how many more there are."""
    head, colon, tail = reason.partition(": ")
    names = tail.split(", ")
    if not colon or ";" in tail or len(names) <= most + 1:
        return reason
    return f"{head}: {', '.join(names[:most])} and {len(names) - most:,} more"


def sentence_case(text: str) -> str:
    """Return a sentence with a capital at its head and a full stop at its end."""
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")

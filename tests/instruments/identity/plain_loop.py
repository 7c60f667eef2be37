"""Every measure computed by a plain loop over the cases, without a table and without arrays."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from measured import CONFORMANCE, VERSION  # type: ignore[import-not-found]

from denotary.instruments.identity.answers import outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from denotary.runs.records import Answer
    from denotary.suites.suite import Suite


class Loop:
    """What each measure is by its definition, case by case, without a table and without arrays.

    ``count(id)`` returns (numerator, denominator) over the chosen cases; ``None`` for a case outside the population.
    """

    def __init__(self, of: Suite, given: Iterable[Answer], expresses: Iterable[str] | None = None) -> None:
        self.suite = of
        self.expresses = None if expresses is None else set(expresses)
        self.cases: list[Any] = list(of.cases)
        self.first: dict[str, Answer] = {}
        self.further: defaultdict[str, list[Answer]] = defaultdict(list)
        for item in given:
            if item.repeat:
                self.further[item.case_id].append(item)
            else:
                self.first[item.case_id] = item
        self.pairs = Pairs(self)

    # -- one case

    def body(self, name: str) -> dict[str, Any] | None:
        item = self.first.get(name)
        return item.body if item is not None and item.status == "answered" else None

    def answered(self, name: str) -> bool:
        return self.body(name) is not None

    def outcome(self, item: Any) -> str:
        found = self.first.get(item.record_id)
        return outcome(item.gold, found.status if found else "not_run", found.body if found else None)

    def correct(self, item: Any) -> bool:
        return self.outcome(item) in ("right", "refused_rightly")

    def code(self, name: str) -> str | None:
        body = self.body(name)
        return body["code"] if body and body["type"] == "concept" else None

    def refused(self, name: str) -> bool:
        body = self.body(name)
        return body is not None and body["type"] != "concept"

    def decision(self, name: str) -> tuple[Any, ...] | None:
        return _decision(self.body(name))

    def candidates(self, name: str) -> list[tuple[str, float]]:
        body = self.body(name)
        return [tuple(pair) for pair in (body["candidates"] or [])] if body else []

    def rank(self, item: Any) -> int | None:
        listed = self.candidates(item.record_id)
        if item.gold.disposition != "SINGLE":
            return None
        gold = item.gold.acceptable_concept_codes[0]
        own = [score for code, score in listed if code == gold]
        if not own:
            return None
        return 1 + len([code for code, score in listed if code != gold and score >= max(own)])

    def neighbour_above(self, item: Any) -> bool:
        listed = self.candidates(item.record_id)
        rivals = [score for code, score in listed if code in item.gold.forbidden_neighbor_codes]
        own = [score for code, score in listed if code in item.gold.acceptable_concept_codes]
        return bool(rivals) and max(rivals) >= max(own, default=float("-inf"))

    def neighbour_first(self, item: Any) -> bool:
        listed = self.candidates(item.record_id)
        rivals = [score for code, score in listed if code in item.gold.forbidden_neighbor_codes]
        return bool(rivals) and max(rivals) >= max(score for _, score in listed)

    def harmed(self, item: Any, *, event: bool) -> bool:
        return event or not self.answered(item.record_id)

    # -- measures: (event, in the denominator) of a case, or None outside ``among``

    def judge(self, measure: str, item: Any) -> tuple[bool, bool] | None:
        name, gold, made = item.record_id, item.gold, item.construction
        single, code = gold.disposition == "SINGLE", self.code(name)
        assigned, lost = code is not None, not self.answered(name)
        exact, declared = made.primary_family == "reviewed_exact", "declared_ambiguity" in made.tags
        wrong = self.outcome(item) == "wrong"
        rank = self.rank(item)

        def rate(among: bool, event: bool) -> tuple[bool, bool] | None:
            return (event, True) if among else None

        def forced(disposition: str) -> tuple[bool, bool] | None:
            return rate(gold.disposition == disposition, assigned or lost)

        def changed(tagged: bool) -> tuple[bool, bool] | None:
            original = self.pairs.original_code(item)
            return rate(tagged and original is not None, lost or (assigned and code == original))

        found: dict[str, Callable[[], tuple[bool, bool] | None]] = {
            "recall_at_1": lambda: rate(single, rank is not None and rank <= 1),
            "recall_at_5": lambda: rate(single, rank is not None and rank <= 5),
            "recall_listed": lambda: rate(single, rank is not None),
            "recall_at_10": lambda: rate(single, rank is not None and rank <= 10),
            "candidate_miss": lambda: rate(single, rank is None or rank > 5),
            "hard_negative_intrusion": lambda: (
                (self.neighbour_above(item) or lost, bool(self.candidates(name)) or lost)
                if single and gold.forbidden_neighbor_codes
                else None
            ),
            "false_neighbour_rate": lambda: (
                (self.neighbour_first(item) or lost, bool(self.candidates(name)) or lost)
                if gold.forbidden_neighbor_codes
                else None
            ),
            "faar": lambda: (wrong or lost, True),
            "assignment_risk": lambda: (wrong or lost, assigned or lost),
            "assignment_coverage": lambda: (assigned, True),
            "code_asserted": lambda: (assigned or lost, True),
            "correct_known_coverage": lambda: rate(single, self.outcome(item) == "right"),
            "hncr": lambda: rate(
                bool(gold.forbidden_neighbor_codes), lost or code in gold.forbidden_neighbor_codes
            ),
            "abstention_precision": lambda: (self.refused(name) and not single, self.refused(name)),
            "abstention_recall": lambda: rate(not single, self.refused(name)),
            "abstention_kind_accuracy": lambda: (
                self.right_kind(item) and self.can_say(item),
                self.refused(name) and self.can_say(item),
            ),
            "kind_not_expressible": lambda: (
                self.refused(name) and not self.can_say(item),
                self.refused(name) and not single,
            ),
            "unknown_far": lambda: forced("UNKNOWN_REGISTRY"),
            "ambiguity_forced": lambda: forced("AMBIGUOUS"),
            "underspecified_forced": lambda: forced("UNDERSPECIFIED"),
            "mixed_collapse": lambda: forced("MIXED"),
            "invalid_accepted": lambda: forced("INVALID_INPUT"),
            "negation_collapse": lambda: changed("negation" in made.tags),
            "role_reversal_confusion": lambda: changed("role_reversal" in made.tags),
            "contradiction_acceptance": lambda: changed(
                "contradiction" in made.tags
                or (
                    made.primary_family == "negation_contradiction"
                    and not {"negation", "role_reversal"} & set(made.tags)
                )
            ),
            "high_severity_attack_failure": lambda: rate(
                made.variant_severity == "high"
                and (made.attack_family is not None or made.primary_family == "malicious_input"),
                wrong or lost,
            ),
            "invariant_consistency": lambda: self.pairs.same(item, both="alike"),
            "pair_correct": lambda: self.pairs.same(item, both="correct"),
            "flip_correct": lambda: self.pairs.flipped(item),
            "noise_faar": lambda: rate("spelling_noise" in made.tags, wrong or lost),
            "noise_correct": lambda: rate("spelling_noise" in made.tags, self.correct(item)),
            "code_switch_faar": lambda: rate("code_switch" in made.tags, wrong or lost),
            "code_switch_correct": lambda: rate("code_switch" in made.tags, self.correct(item)),
            "contrast_sensitivity": lambda: self.pairs.contrast(item, what="noticed"),
            "contrast_consistency": lambda: self.pairs.contrast(item, what="correct"),
            "cross_language_agreement": lambda: self.pairs.aligned(item, what="alike"),
            "cross_language_correct_agreement": lambda: self.pairs.aligned(item, what="correct"),
            "exact_conformance_failure": lambda: rate(exact and single, self.outcome(item) != "right"),
            "exact_ambiguity_forced": lambda: rate(
                exact and (gold.disposition == "AMBIGUOUS" or declared), assigned or lost
            ),
            "exact_ambiguity_failure": lambda: rate(
                exact and (gold.disposition == "AMBIGUOUS" or declared), not self.correct(item)
            ),
            "invented_code_on_miss": lambda: rate(
                exact and gold.disposition == "EXACT_MISS" and not declared, assigned or lost
            ),
            "language_constraint_failure": lambda: rate(
                exact and "language_constraint" in made.tags, not self.correct(item)
            ),
            "normalisation_change": lambda: rate(
                exact and "normalisation" in made.tags, not self.correct(item)
            ),
            "exact_regression": lambda: rate(exact, not self.correct(item) or self.unstable(name)),
            "unanswered_share": lambda: (lost, True),
            "failure_share": lambda: (self.outcome(item) in ("error", "invalid_output"), True),
            "timeout_share": lambda: (self.outcome(item) == "timeout", True),
            "version_mismatch": lambda: (
                lost
                or any(
                    body["registry_version"] != VERSION
                    for body in (self.body(name), *(again.body for again in self.further[name]))
                    if body is not None
                ),
                True,
            ),
            "decision_instability": lambda: rate(name in self.further, self.unstable(name)),
            "wrong_in_a_repeat": lambda: rate(name in self.further, self.wrong_once(item)),
            "exact_unanswered": lambda: rate(exact, lost),
            "exact_instability": lambda: rate(exact and name in self.further, self.unstable(name)),
        }
        # Conformance asks for reviewed expressions itself; three measures are about calls, of either track.
        every = measure in ("failure_share", "timeout_share", "version_mismatch") or measure in CONFORMANCE
        return None if exact and not every else found[measure]()

    def can_say(self, item: Any) -> bool:
        """Whether the system can give the kind that a case asks for; what it names anywhere, it can give."""
        wanted = item.gold.disposition
        if self.expresses is None or wanted in ("SINGLE", "EXACT_MISS"):
            return True
        bodies = [self.body(name) for name in self.first]
        known = self.expresses | {body["kind"] for body in bodies if body and body["type"] != "concept"}
        return wanted in known or ("CLARIFY" in known and wanted in ("UNDERSPECIFIED", "MIXED"))

    def right_kind(self, item: Any) -> bool:
        body = self.body(item.record_id)
        if body is None or body["type"] == "concept":
            return False
        wanted = item.gold.disposition
        if wanted == "EXACT_MISS":
            return True
        if wanted == "INVALID_INPUT":
            return bool(body["type"] == "reject")
        return body["kind"] == wanted or (body["kind"] == "CLARIFY" and wanted in ("UNDERSPECIFIED", "MIXED"))

    def unstable(self, name: str) -> bool:
        decisions = [self.decision(name), *(_decision(again.body) for again in self.further.get(name, ()))]
        return None in decisions or len(set(decisions)) > 1

    def wrong_once(self, item: Any) -> bool:
        gold = item.gold.acceptable_concept_codes[:1] if item.gold.disposition == "SINGLE" else ()
        decisions = [self.decision(item.record_id)]
        decisions += [_decision(again.body) for again in self.further.get(item.record_id, ())]
        return any(found is None or (found[0] == "code" and found[1] not in gold) for found in decisions)

    def parts(self, measure: str, item: Any) -> list[tuple[str, bool]]:
        """Return (label of the slice, event) of every row that a case has in a related table of a measure."""
        name, gold, made = item.record_id, item.gold, item.construction
        if made.primary_family == "reviewed_exact":
            return []
        single, code, lost = gold.disposition == "SINGLE", self.code(name), not self.answered(name)
        target = gold.acceptable_concept_codes[0] if single else gold.disposition
        near = {*gold.acceptable_concept_codes, *gold.forbidden_neighbor_codes, made.concept_neighbourhood}
        if measure == "hncr_pair":
            return [(f"{target} → {other}", lost or code == other) for other in gold.forbidden_neighbor_codes]
        if measure.endswith("_nearby"):
            wanted = {"unknown_far_nearby": "UNKNOWN_REGISTRY", "ambiguity_forced_nearby": "AMBIGUOUS"}[
                measure
            ]
            chosen = sorted(near - {None}) if gold.disposition == wanted else []
            return [(other, lost or code is not None) for other in chosen]
        others = [other for other in self.pairs.seed(item) if other.language_slice != item.language_slice]
        if measure == "language_pair_correct":
            return [(item.language_slice, self.correct(item) and self.correct(other)) for other in others]
        own = self.decision(name)
        return [
            (item.language_slice, own is not None and own == self.decision(other.record_id))
            for other in others
        ]

    def count(self, measure: str, chosen: Callable[[Any], bool] = lambda _: True) -> tuple[int, int]:
        judged = [
            found for item in self.cases if chosen(item) and (found := self.judge(measure, item)) is not None
        ]
        return sum(event and inside for event, inside in judged), sum(inside for _, inside in judged)


class Pairs:
    """Pairs and sets, found by looking at every case for every case."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.by_id = {item.record_id: item for item in loop.cases}

    def members(self, item: Any) -> list[Any]:
        contrast = item.construction.contrast
        return [
            other
            for other in self.loop.cases
            if contrast and other.construction.contrast and other.construction.contrast.set == contrast.set
        ]

    def head(self, item: Any) -> Any:
        members = self.members(item)
        roles = ("x", "original", "unresolved")
        heads = [other for other in members if other.construction.contrast.role in roles]
        return (heads or members)[0]

    def original(self, item: Any) -> tuple[Any, bool]:
        """Return the case that a case was changed from, and whether the meaning was kept."""
        made = item.construction
        found = self.by_id.get(item.parent_record_id)
        same = made.meaning_relation_to_parent == "SAME_MEANING"
        members = self.members(item)
        if len(members) > 1:
            head = self.head(item)
            role = made.contrast.role
            if head is not item and head.construction.contrast.role in ("x", "original", "unresolved"):
                if role in ("x_same", "x_flip", "changed"):
                    found = head
                if role in ("x_same", "x_flip"):
                    same = role == "x_same"
        return found, same

    def original_code(self, item: Any) -> str | None:
        found, same = self.original(item)
        if same and found is not None:
            return None
        code = item.construction.concept_neighbourhood
        if found is not None and found.gold.disposition == "SINGLE":
            code = found.gold.acceptable_concept_codes[0]
        return None if code is None or code in item.gold.acceptable_concept_codes else code

    def same(self, item: Any, *, both: str) -> tuple[bool, bool] | None:
        found, same = self.original(item)
        if found is None or not same:
            return None
        loop = self.loop
        if both == "correct":
            return loop.correct(item) and loop.correct(found), True
        one, other = loop.decision(item.record_id), loop.decision(found.record_id)
        return one is not None and one == other, True

    def flipped(self, item: Any) -> tuple[bool, bool] | None:
        found, same = self.original(item)
        if found is None or same:
            return None
        return self.loop.correct(item) and self.loop.correct(found), True

    def seed(self, item: Any) -> list[Any]:
        """Return the members of a case's aligned seed, itself among them; none if it stands in one language."""
        family = item.construction.translation_family
        members = [
            other
            for other in self.loop.cases
            if family
            and other.construction.translation_family == family
            and other.gold.answer == item.gold.answer
        ]
        return members if len({other.language_slice for other in members}) > 1 else []

    def contrast(self, item: Any, *, what: str) -> tuple[bool, bool] | None:
        members = self.members(item)
        if len(members) < 2 or self.head(item) is not item:
            return None
        loop = self.loop
        if what == "correct":
            return all(loop.correct(other) for other in members), True
        turned = [other for other in members if other.gold.answer != item.gold.answer]
        if not turned:
            return None
        decisions = {other.record_id: loop.decision(other.record_id) for other in members}
        noticed = all(decisions[other.record_id] != decisions[item.record_id] for other in turned)
        return None not in decisions.values() and noticed, True

    def aligned(self, item: Any, *, what: str) -> tuple[bool, bool] | None:
        members = self.seed(item)
        if not members or members[0] is not item:
            return None
        loop = self.loop
        if what == "correct":
            return all(loop.correct(other) for other in members), True
        decisions = {loop.decision(other.record_id) for other in members}
        return len(decisions) == 1 and None not in decisions, True


def _decision(body: dict[str, Any] | None) -> tuple[Any, ...] | None:
    if body is None:
        return None
    return ("code", body["code"]) if body["type"] == "concept" else ("refusal", body["kind"])

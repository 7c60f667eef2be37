"""The joined table of an identity suite and its answers, one row a case.

Columns that a text of a measure may name:

* of the case: ``disposition``, ``family``, ``language``, ``matrix_language`` (of its tag, code-switched or not),
  ``variety`` (the whole tag), ``script``, ``domain``, ``concept`` (the one right code, else the concept in whose
  neighbourhood the case lies, else blank), ``original`` (the code of the meaning that it was changed from),
  ``tier``, ``critical``, ``severity``, ``resolution``, ``overlap``, ``position``, ``attack``, ``injection``,
  ``negation``, ``contradiction``,
  ``role_reversal``, ``declared_ambiguity``, ``language_constraint``, ``normalisation``, ``escaping``,
  ``unicode_preservation``,
  ``native``, ``translated``, ``boundary``, ``robustness``, ``noisy``, ``code_switched``, ``zero_regression``,
  ``has_neighbours``,
  ``neighbour`` (the same as a label), ``has_original`` (another meaning is known that the text was changed from);
* of the answer: ``outcome``, ``status``, ``answered``, ``unanswered``, ``assigned``, ``refused``,
  ``right_assignment``, ``wrong_assignment``, ``correct`` (right, or refused rightly), ``answered_code``, ``kind``,
  ``kind_right``, ``not_expressible`` (a refusal where the kind to give is one that the system cannot express),
  ``invented_code``, ``version_ok``, ``confidence``;
* of the candidates: ``has_candidates``, ``gold_rank`` (ties count against the right code), ``top_share``,
  ``margin``, ``neighbour_above_gold``, ``neighbour_first``;
* of both: ``neighbour_assigned``, ``original_assigned``, ``repeated``, ``repeats_differ``, ``repeats_answered``,
  ``repeats_wrong``, and those of pairs and sets (:mod:`denotary.instruments.identity.pair_columns`).

Tables of something else than cases are related to it: see :mod:`denotary.instruments.identity.related`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from denotary.instruments.identity.answer_columns import STATUSES, AnswerColumns
from denotary.instruments.identity.answers import KINDS, OUTCOMES, snapshot_names
from denotary.instruments.identity.case_columns import ALL_DISPOSITIONS, case_columns, contains, pack
from denotary.instruments.identity.floors import floors, sufficient
from denotary.instruments.identity.instrument import identity_cases
from denotary.instruments.identity.pair_columns import links, original_codes, pair_columns
from denotary.instruments.identity.related import Joined, registered, related_tables
from denotary.measures.table import Coded, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from denotary.instruments.identity.case_columns import CaseColumns
    from denotary.measures.table import BoolArray, IntArray
    from denotary.runs.records import Answer
    from denotary.suites.suite import Suite

_ASSIGNED: Final = 0
_REJECTED: Final = 3
_EXPRESSIVE: Final = ("AMBIGUOUS", "UNKNOWN_REGISTRY", "UNDERSPECIFIED", "MIXED")
"""Kinds that a system must name to express them; the others follow from the type of the decision alone."""
UNREGISTERED: Final = "unregistered code"
"""Name, with a number, of a code that the registry does not hold."""
_AS_THEY_ARE: Final = (
    "version_ok",
    "confidence",
    "gold_rank",
    "top_share",
    "margin",
    "neighbour_above_gold",
    "neighbour_first",
    "repeated",
    "repeats_differ",
    "repeats_answered",
    "repeats_wrong",
)
"""Columns that go from the answers into the table unchanged."""


def table(suite: Suite, answers: Iterable[Answer], expresses: frozenset[str] | None = None) -> Table:
    """Return the joined table. A case without an answer is ``not_run``.

    Args:
        suite: the suite, N cases.
        answers: the answers of a run, in any order, from memory or from a file. Rates rest on repeat 0;
            further repeats are compared with it.
        expresses: kinds of refusal that the system is declared to express; None if nothing is declared, which leaves
            every kind to be asked of it. A kind that an answer names is expressed, whatever is declared.

    Raises:
        IntegrityError: an answer is to a case that the suite does not hold, or a call is answered twice.
    """
    cases = case_columns(suite)
    given = AnswerColumns(cases, snapshot_names(suite.registry))
    given.fill(answers)
    plain = dict(cases.plain)
    disposition = cases.coded["disposition"]
    plain |= _decisions(cases, given)
    outcome = _outcome(disposition, given, plain)
    said = _said(given, expresses)
    plain["not_expressible"] = plain["refused"] & ~_expressible(said)[disposition.codes]
    plain["correct"] = np.isin(outcome.codes, [OUTCOMES.index("right"), OUTCOMES.index("refused_rightly")])
    together = links(identity_cases(suite), cases.row)
    plain |= pair_columns(together, given.decision, plain["answered"], plain["correct"])
    original = original_codes(together, cases.gold, cases.neighbourhood)
    plain |= _originals(cases, given, original)
    plain |= _given(given)
    coded = dict(cases.coded) | {
        "outcome": outcome,
        "status": Coded(given.status, STATUSES),
        "kind": Coded(given.kind, KINDS),
        "answered_code": _answered_code(cases, given),
        "original": registered(cases, np.where(plain["has_original"], original, -1)),
    }
    return Table(
        cases.unit,
        plain,
        coded,
        _capabilities(given, plain, said),
        _sufficient(cases),
        related_tables(Joined(cases, given, together, plain, coded)),
    )


def _sufficient(cases: CaseColumns) -> dict[str, frozenset[str]]:
    """Return the groups that meet their floors, by every axis whose slices are concepts or languages."""
    met = sufficient(floors(cases.plain, cases.coded))
    return met | {"original": met["concept"], "matrix_language": met["language"]}


def _decisions(cases: CaseColumns, given: AnswerColumns) -> dict[str, BoolArray]:
    answered = given.status == STATUSES.index("answered")
    assigned = answered & (given.type == _ASSIGNED)
    right = assigned & (given.code == cases.gold) & (cases.gold >= 0)
    rows = np.arange(len(given.code))
    return {
        "answered": answered,
        "unanswered": ~answered,
        "assigned": assigned,
        "refused": answered & ~assigned,
        "right_assignment": right,
        "wrong_assignment": assigned & ~right,
        "invented_code": assigned & (given.code >= cases.registered),
        "neighbour_assigned": assigned & cases.is_neighbour(rows, given.code),
    }


def _outcome(disposition: Coded, given: AnswerColumns, plain: dict[str, Any]) -> Coded:
    """Return the outcome class of every case, as :func:`answers.outcome` does for one.

    Whether the kind of each refusal is right goes into ``plain`` on the way.
    """
    required = np.asarray([KINDS.index(name) if name in KINDS else -2 for name in ALL_DISPOSITIONS])
    wanted = required[disposition.codes]
    is_gold = {name: disposition.codes == ALL_DISPOSITIONS.index(name) for name in ALL_DISPOSITIONS}
    asked_for = is_gold["UNDERSPECIFIED"] | is_gold["MIXED"]
    named = (given.kind == wanted) | ((given.kind == KINDS.index("CLARIFY")) & asked_for)
    named[is_gold["INVALID_INPUT"]] = (given.type == _REJECTED)[is_gold["INVALID_INPUT"]]
    named |= is_gold["EXACT_MISS"]
    plain["kind_right"] = plain["refused"] & named
    kindless = (given.kind == -1) & ~is_gold["SINGLE"] & ~is_gold["INVALID_INPUT"]
    rightly = plain["refused"] & (named | kindless)
    names = [OUTCOMES.index(name) if name in OUTCOMES else -1 for name in STATUSES]
    codes = np.asarray(names, dtype=np.int32)[given.status]
    codes[plain["right_assignment"]] = OUTCOMES.index("right")
    codes[plain["wrong_assignment"]] = OUTCOMES.index("wrong")
    codes[plain["refused"]] = OUTCOMES.index("refused_otherwise")
    codes[rightly] = OUTCOMES.index("refused_rightly")
    return Coded(codes, OUTCOMES)


def _said(given: AnswerColumns, expresses: frozenset[str] | None) -> frozenset[str] | None:
    """Return the kinds of refusal that the system is declared to express or has named; None if nothing is declared."""
    if expresses is None:
        return None
    return expresses | {KINDS[number] for number in np.unique(given.kind).tolist() if number >= 0}


def _expressible(said: frozenset[str] | None) -> BoolArray:
    """Return by disposition whether the system can give the refusal that it asks for, shape (dispositions,)."""
    asking = {"UNDERSPECIFIED", "MIXED"} if said and "CLARIFY" in said else set()
    known = set(KINDS) if said is None else said | asking
    # A text with one right code, or of which nothing is claimed, asks for no kind.
    return np.asarray([name in known or name not in KINDS for name in ALL_DISPOSITIONS])


def _originals(cases: CaseColumns, given: AnswerColumns, code: IntArray) -> dict[str, BoolArray]:
    rows = np.arange(len(code))
    has = (code >= 0) & ~contains(cases.acceptable, pack(rows, code))
    return {
        "has_original": has,
        "original_assigned": has & (given.type == _ASSIGNED) & (given.code == code),
    }


def _given(given: AnswerColumns) -> dict[str, Any]:
    return {"has_candidates": given.candidates > 0} | {name: getattr(given, name) for name in _AS_THEY_ARE}


def _answered_code(cases: CaseColumns, given: AnswerColumns) -> Coded:
    """Return the assigned codes: the registered ones and then the invented ones, each in alphabetical order.

    An invented code is numbered and not quoted: it may be the text of a sealed case.
    """
    names = cases.codes.labels()
    assigned = set(np.unique(given.code).tolist()) - {-1}
    registered = sorted(range(cases.registered), key=names.__getitem__)
    invented = sorted(assigned.difference(registered), key=names.__getitem__)
    kept = [*registered, *invented]
    place = np.full(len(names) + 1, -1, dtype=np.int32)
    place[kept] = np.arange(len(kept))
    labels = [names[number] for number in registered]
    labels += [f"{UNREGISTERED} {number}" for number in range(1, len(invented) + 1)]
    return Coded(place[given.code], tuple(labels))


def _capabilities(given: AnswerColumns, plain: dict[str, Any], said: frozenset[str] | None) -> frozenset[str]:
    kinds = [KINDS.index(name) for name in _EXPRESSIVE]
    shown = {
        "ambiguity": said is None or "AMBIGUOUS" in said,
        "candidates": bool((given.candidates > 0).any()),
        "confidence": bool((plain["assigned"] & ~np.isnan(given.confidence)).any()),
        "kinds": bool(
            (plain["refused"] & np.isin(given.kind, kinds)).any() or (said or set()) & set(_EXPRESSIVE)
        ),
        "repeats": bool(given.repeated.any()),
    }
    return frozenset(name for name, held in shown.items() if held)

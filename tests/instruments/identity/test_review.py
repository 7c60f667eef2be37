"""Whether every case was judged as deep as its kind asks, by people who are really there."""

from typing import Any

import measured as m  # type: ignore[import-not-found]
import pytest

from denotary.instruments.identity.review import review_sufficient
from denotary.instruments.identity.table import table
from denotary.measures.records import Fact
from denotary.suites.depth import DEPTHS
from denotary.suites.records import BoardMember, NeighbourNote


def review(*cases: Any) -> Fact:
    suite = m.suite(cases)
    return review_sufficient(suite, table(suite, []))


BOARD = tuple(BoardMember(who=f"member-{number}", role="independent") for number in range(3))


def note(tier: str | None, people: int, **more: Any) -> dict[str, Any]:
    """An approved review at a tier by so many people, who agree, and a board."""
    names = tuple(f"reviewer-{number}" for number in range(people))
    return {
        "adjudicated_by": BOARD,
        "review": "reviewed", "adjudication_status": "approved", "depth_tier": tier,
        "independent_votes": ("c.two",) * people, "reviewers": names, "primary_family": "held_out_paraphrase",
        "codes": ("c.two",),
    } | more  # fmt: skip


NEAR = (NeighbourNote(code="c.one", type="sibling", reason="r"),)
KINDS: list[tuple[str, dict[str, Any], str]] = [
    ("a plain text", {}, "A1"),
    ("an unknown one", {"disposition": "UNKNOWN_REGISTRY", "codes": ()}, "A1"),
    ("an ambiguous one", {"disposition": "AMBIGUOUS", "codes": ("c.one", "c.two")}, "A3"),
    ("a mixed one", {"disposition": "MIXED", "codes": ("c.one", "c.two")}, "A3"),
    ("one that names a neighbour", {"forbidden_neighbor_codes": ("c.one",), "neighbours": NEAR}, "A2"),
    ("a hard negative", {"primary_family": "hard_negative"}, "A2"),
    ("a contrast", {"primary_family": "minimal_contrast"}, "A2"),
    ("a negation", {"tags": ("negation",)}, "A2"),
    ("a contradiction", {"tags": ("antonym",)}, "A2"),
    ("a reversal of roles", {"tags": ("role_reversal",)}, "A2"),
    ("a concept of tier C3", {"codes": ("c.one",)}, "A2"),
    (
        "an unknown text beside a concept of tier C4",
        {"disposition": "UNKNOWN_REGISTRY", "codes": (), "concept_neighbourhood": "c.three"},
        "A2",
    ),
]


@pytest.mark.parametrize(("name", "kind", "least"), KINDS, ids=[name for name, _, _ in KINDS])
@pytest.mark.parametrize("tier", ["A0", "A1", "A2", "A3", "A4"])
def test_a_case_needs_the_depth_of_its_kind_whatever_it_declares(
    name: str, kind: dict[str, Any], least: str, tier: str
) -> None:
    """A hundred people would do for any tier; the tier that is declared must still be deep enough."""
    made = note(tier, 100) | {"independent_votes": ("c.one", "c.two") * 50} | kind
    found = review(m.case(name, made.pop("disposition", "SINGLE"), made.pop("codes"), **made))
    assert found.holds is (tier >= least), found.detail
    if tier < least:
        assert found.detail.endswith(f"1 at depth {tier} where {least} is asked")
    # The board that a kind asks for is asked for at a deeper tier too.
    seats = {"A1": 0, "A2": 1, "A3": 3}[least]
    made = note(tier, 100, adjudicated_by=BOARD[: seats - 1]) | {"independent_votes": ("c.two",) * 100} | kind
    if tier >= least and seats:
        found = review(m.case(name, made.pop("disposition", "SINGLE"), made.pop("codes"), **made))
        assert (found.holds, "who did not vote" in found.detail) == (False, True)


@pytest.mark.parametrize(("tier", "fewest"), [("A1", 3), ("A2", 5), ("A3", 7), ("A4", 50)])
def test_a_tier_asks_for_so_many_people(tier: str, fewest: int) -> None:
    assert review(m.case("a", **note(tier, fewest))).holds is True
    found = review(m.case("a", **note(tier, fewest - 1)))
    assert found.holds is False
    assert found.detail.endswith(f"1 by fewer than the {fewest} reviewers of depth {tier}")


@pytest.mark.parametrize(
    "reviewers",
    [
        (),
        ("r1", "r1", "r1"),
        ("r1", "r2", "r2"),
        ("r1", "r2", "generated"),
        ("r1", "r2", "generated:model-7"),
        ("r1", "r2", " "),
    ],
)
def test_votes_of_nobody_of_one_person_twice_and_of_no_person_do_not_count(
    reviewers: tuple[str, ...],
) -> None:
    assert review(m.case("a", **note("A1", 3, reviewers=reviewers))).holds is False


def test_reviewers_without_a_vote_do_not_count() -> None:
    assert review(m.case("a", **note("A1", 3, independent_votes=("c.two", "c.two", "")))).holds is False
    assert review(m.case("a", **note("A1", 3, independent_votes=("c.two", "c.two")))).holds is False
    # Reviewers may disagree: what they found was adjudicated.
    assert review(m.case("a", **note("A1", 3, independent_votes=("c.two", "c.one", "c.two")))).holds is True


@pytest.mark.parametrize(
    ("made", "gap"),
    [
        (note(None, 3), "1 without a depth tier"),
        (note("A1", 3, adjudication_status="contested"), "1 with adjudication contested"),
        (note("A1", 3, review="generated"), "1 generated"),
        (note("A1", 3, review="illustrative"), "1 illustrative"),
        (note("A1", 3, primary_family="adversarial_paraphrase"), "1 adversarial without an equivalence review"),
    ],
)  # fmt: skip
def test_what_is_not_reviewed_says_why(made: dict[str, Any], gap: str) -> None:
    found = review(m.case("a", **made), m.case("b", **note("A1", 3)))
    assert found.holds is False
    assert found.detail == f"1 of 2 cases are not sufficiently reviewed: {gap}"


def test_an_adversarial_text_with_a_review_of_its_equivalence() -> None:
    made = note("A1", 3, primary_family="adversarial_paraphrase", equivalence_reviewed_by="reviewer-2")
    assert review(m.case("a", **made)).holds is True


def among(*cases: Any, **manifest: Any) -> Fact:
    suite = m.suite(cases, **manifest)
    return review_sufficient(suite, table(suite, []))


def test_a_rare_language_that_the_manifest_declares_may_stand_at_a_lower_depth_and_says_so() -> None:
    welsh = m.case("a", **note("A-R", 3, language="cy"))
    hard = m.case("b", **note("A-R", 3, language="cy-GB", tags=("negation",)))
    found = among(welsh, hard, rare_languages=("cy",))
    assert found.holds is True
    assert found.detail.endswith("2 cases of rare languages (cy) at A-R, lower certification")
    assert among(m.case("a", **note("A-R", 2, language="cy")), rare_languages=("cy",)).holds is False
    unheard = note("A-R", 3, language="cy", tags=("negation",), adjudicated_by=())
    assert among(m.case("a", **unheard), rare_languages=("cy",)).holds is False


@pytest.mark.parametrize("where", [{}, {"tags": ("rare_language",)}, {"primary_family": "rare_language"}])
@pytest.mark.parametrize("declared", [(), ("cy",)])
def test_no_case_calls_its_own_language_rare(where: dict[str, Any], declared: tuple[str, ...]) -> None:
    found = among(m.case("a", **note("A-R", 3, **where)), rare_languages=declared)
    assert found.holds is False
    assert found.detail.endswith("1 at depth A-R in a language that the manifest does not declare rare")


@pytest.mark.parametrize("gold", ["AMBIGUOUS", "MIXED"])
def test_a_rare_language_takes_no_boards_place(gold: str) -> None:
    made = note("A-R", 7, language="cy", independent_votes=("c.one", "c.two") * 3 + ("c.one",))
    made["codes"] = ("c.one", "c.two")
    found = among(m.case("a", gold, **made), rare_languages=("cy",))
    assert found.holds is False
    assert found.detail.endswith("1 at depth A-R where A3 is asked")


def ambiguous(votes: tuple[str, ...], **more: Any) -> Fact:
    made = note("A3", len(votes), independent_votes=votes, **more)
    del made["codes"]
    return review(m.case("a", "AMBIGUOUS", ("c.one", "c.two"), **made))


@pytest.mark.parametrize(
    ("votes", "holds"),
    [
        (("c.one",) * 5 + ("c.two",) * 2, True),
        (("c.one", "c.two") * 2 + ("AMBIGUOUS",) * 3, True),
        (("c.one",) * 6 + ("c.two",), False),
        (("AMBIGUOUS",) * 7, False),
        (("UNKNOWN_REGISTRY",) * 7, False),
        # Two readings, and only one of them is among the codes of the gold.
        (("c.one",) * 4 + ("c.three",) * 3, False),
    ],
)
def test_an_ambiguous_text_has_two_readings_that_two_people_found_each(
    votes: tuple[str, ...], *, holds: bool
) -> None:
    found = ambiguous(votes)
    assert found.holds is holds, found.detail
    assert holds or found.detail.endswith("1 ambiguous without 2 votes for each of two of its codes")


def member(who: str, role: Any = "independent") -> BoardMember:
    return BoardMember(who=who, role=role)


@pytest.mark.parametrize(
    "board",
    [
        (),
        BOARD[:2],
        (*BOARD[:2], BOARD[0]),
        (*BOARD[:2], member("generated:model-7")),
        # Who voted sits on no board above their own vote.
        (*BOARD[:2], member("reviewer-3")),
        tuple(member(name, "registry-owner") for name in ("o1", "o2", "o3")),
    ],
)
def test_a_board_of_three_is_three_people_who_did_not_vote(board: tuple[BoardMember, ...]) -> None:
    votes = ("c.one",) * 4 + ("c.two",) * 3
    assert ambiguous(votes, adjudicated_by=BOARD).holds is True
    found = ambiguous(votes, adjudicated_by=board)
    assert found.holds is False
    assert "of 3 persons who did not vote" in found.detail


@pytest.mark.parametrize(
    ("disposition", "votes", "majority"),
    [
        ("SINGLE", ("c.two", "c.two", "c.one"), True),
        ("SINGLE", ("c.two", "c.one", "c.one"), False),
        ("SINGLE", ("c.two", "c.two", "c.one", "c.one"), False),
        ("SINGLE", ("SINGLE",) * 3, False),
        ("UNKNOWN_REGISTRY", ("UNKNOWN_REGISTRY", "UNKNOWN_REGISTRY", "c.one"), True),
        ("UNKNOWN_REGISTRY", ("c.one",) * 3, False),
    ],
)
def test_gold_against_the_votes_needs_somebody_who_decided_so(
    disposition: str, votes: tuple[str, ...], *, majority: bool
) -> None:
    codes = ("c.two",) if disposition == "SINGLE" else ()

    def judged(board: tuple[BoardMember, ...]) -> Fact:
        made = note("A1", len(votes), independent_votes=votes, adjudicated_by=board) | {"codes": codes}
        return review(m.case("a", disposition, **made))

    assert judged(BOARD[:1]).holds is True
    assert judged(()).holds is majority
    if not majority:
        assert judged(()).detail.endswith(
            "1 with gold that no majority of the votes finds, and without adjudication"
        )


@pytest.mark.parametrize("name", ["", " ", "generated:model-7", "author-1"])
def test_an_equivalence_review_is_by_another_person(name: str) -> None:
    made = note("A1", 3, primary_family="adversarial_paraphrase", author="author-1")
    assert review(m.case("a", **made, equivalence_reviewed_by="reviewer-2")).holds is True
    assert review(m.case("a", **made, equivalence_reviewed_by=name)).holds is False


def test_a_reviewed_expression_rests_on_the_review_of_the_registry() -> None:
    exact = {"primary_family": "reviewed_exact", "codes": ("c.one",)}
    assert review(m.case("a", **(note("A0", 0) | exact))).holds is True
    assert review(m.case("a", **(note(None, 0) | exact))).holds is False
    assert review(m.case("a", **(note("A0", 0, review="unreviewed") | exact))).holds is False


def test_the_plan_counts_the_people_that_a_case_needs() -> None:
    """One table for both: what a plan prices at its fewest is what a review accepts."""
    from denotary.verdicts.prospects import prospect
    from denotary.verdicts.records import Gate

    for tier, depth in DEPTHS.items():
        gate = Gate(id="g", title="g", kind="bound", measure="m", limit=0.01, minimum_units=300, depth=tier)
        assert prospect(gate, "all", alpha=0.05).judgements == (300 * depth.fewest, 300 * depth.most)

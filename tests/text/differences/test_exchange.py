"""Roles of shared words: exchanged, moved, unclear; both ways round."""

import pytest

from denotary.text.differences.exchange import compare_roles
from denotary.text.differences.roles import ANYWHERE, read_roles

CASES = """
exchanged|The dog bit the postman.|The postman bit the dog.
exchanged|The dog bit the postman.|The dog was bitten by the postman.
exchanged|Ann gave Bob the keys.|Bob gave the keys to Ann.
exchanged|Ann gave the keys to Bob.|Bob gave the keys to Ann.
exchanged|Anna reports to Karl.|Karl reports to Anna.
exchanged|The train runs from Oslo to Bergen.|The train runs from Bergen to Oslo.
exchanged|Oxygen is heavier than nitrogen.|Nitrogen is heavier than oxygen.
exchanged|The manager's assistant called.|The assistant's manager called.
exchanged|Lunch came before the speech.|The speech came before lunch.
exchanged|Carla bought a car from David.|David bought a car from Carla.
exchanged|If the tenant pays the owner, the case ends.|The case ends if the owner pays the tenant.
exchanged|The mill in Leeds supplies the mill in York.|The mill in York supplies the mill in Leeds.
exchanged|The supplier, not the buyer, pays the freight.|The buyer, not the supplier, pays the freight.
exchanged|Use tea rather than coffee.|Use coffee rather than tea.
exchanged|Demand exceeds supply.|Supply exceeds demand.
exchanged|Check the oil, then start the engine.|Start the engine, then check the oil.
moved|The dog bit the postman.|The postman was bitten by the dog.
moved|Ann gave Bob the keys.|Ann gave the keys to Bob.
moved|The box is larger than the crate.|The crate is smaller than the box.
moved|In June the family moved to Spain.|The family moved to Spain in June.
moved|Last month the mayor thanked the nurses.|The mayor thanked the nurses last month.
moved|The mayor publicly thanked the nurses.|Publicly, the mayor thanked the nurses.
moved|Salt, pepper and oil are on the shelf.|Oil, pepper and salt are on the shelf.
moved|The manager's assistant called.|The assistant of the manager called.
moved|Lunch came before the speech.|The speech came after lunch.
moved|Carla bought a car from David.|David sold a car to Carla.
moved|Karin married Jonas.|Jonas married Karin.
moved|After the rain stops, the players leave the tent.|The players leave the tent after the rain stops.
unclear|Not all students who passed wrote.|Not all students who wrote passed.
unclear|The doctor whom the nurse called left.|The doctor who called the nurse left.
unclear|It is approved by the manager and paid by the clerk.|It is approved by the clerk and paid by the manager.
same|The cook rang the bell.|The cook rang the old bell.
same|The cook rang the bell.|A choir sings.
same||
"""


@pytest.mark.parametrize("line", CASES.strip().splitlines())
def test_the_order_of_shared_words(line: str) -> None:
    order, first, second = line.split("|")
    assert compare_roles(first, second).order == order
    assert compare_roles(second, first).order == order
    assert compare_roles(first, first).order == "same"


def test_an_exchange_names_its_words_and_may_be_round_a_synonym() -> None:
    one, two = "The landlord must inform the tenant.", "The tenant must notify the landlord."
    assert compare_roles(one, two).order == "unclear"
    known = compare_roles(one, two, lambda a, b: {a, b} == {"inform", "notify"})
    assert (known.order, set(known.words)) == ("exchanged", {"landlord", "tenant"})


def test_a_long_text_in_another_order_is_unclear() -> None:
    words = [f"word{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(60)]
    assert compare_roles(" ".join(words), " ".join(words[::-1])).order == "unclear"


def test_roles() -> None:
    found = read_roles("Every week the cook's boy quickly takes the tins to the kitchen by cart")
    assert [(word.stem, word.role) for word in found.every] == [
        ("week", ANYWHERE),
        ("cook", "of"),
        ("boy", ""),
        ("quickly", ANYWHERE),
        ("tak", ""),
        ("tin", ""),
        ("kitchen", "to"),
        ("cart", "by"),
    ]

"""Texts of one template, against a comparison of every pair word by word."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from denotary.suites.split_templates import FIXED, SLOT, skeleton_clusters


def shared(one: str, two: str) -> bool:
    """Whether some slot of each leaves the same five words or more: every choice is tried."""
    left, right = one.split(), two.split()
    ways = [
        {
            (tuple(words[:start]), tuple(words[start + size :]))
            for size in range(1, SLOT + 1)
            for start in range(len(words) - size + 1)
            if len(words) - size >= FIXED
        }
        for words in (left, right)
    ]
    return bool(ways[0] & ways[1])


@given(
    st.lists(st.lists(st.sampled_from("ab"), min_size=4, max_size=9).map(" ".join), unique=True, max_size=7)
)
def test_clusters_are_the_components_of_pairs_with_a_shared_skeleton(texts: list[str]) -> None:
    groups = [{n} for n in range(len(texts))]
    for one, two in combinations(range(len(texts)), 2):
        if shared(texts[one], texts[two]):
            left, right = (next(g for g in groups if n in g) for n in (one, two))
            if left is not right:
                left |= right
                groups.remove(right)
    expected = sorted(tuple(sorted(group)) for group in groups if len(group) > 1)
    assert sorted(skeleton_clusters(texts)) == expected


def test_a_slot_has_up_to_three_words_and_the_rest_five() -> None:
    frame = "what does {} mean in our contracts"
    texts = [frame.format(slot) for slot in ("novation", "force majeure", "time of the essence")]
    assert skeleton_clusters(texts[:2]) == [(0, 1)]
    assert skeleton_clusters([texts[0], texts[2]]) == []  # four words
    assert skeleton_clusters(["ask for blue paint now", "ask for red paint now"]) == []  # four words are left


def test_case_punctuation_and_digits_are_no_difference() -> None:
    texts = ["Pay invoice 17 before the end of MAY!", "pay “invoice” 2045, before the start of May"]
    assert skeleton_clusters(texts) == [(0, 1)]
    assert skeleton_clusters(["", "  ", "...", "为什么"]) == []


def test_a_long_text_is_left_to_its_n_grams() -> None:
    words = [f"w{'x' * n}" for n in range(61)]
    assert skeleton_clusters([" ".join(words), " ".join([*words[:-1], "other"])]) == []

"""Parts of sound cases that the tests of the validator change."""

UNKNOWN = {"disposition": "UNKNOWN_REGISTRY"}
INVALID = {"disposition": "INVALID_INPUT"}
AMBIGUOUS = {"disposition": "AMBIGUOUS", "acceptable_concept_codes": ["x.alpha", "x.beta"]}
HELD_OUT = {
    "primary_family": "held_out_paraphrase",
    "author_saw": {"definition": True},
    "native_author": True,
    "equivalence_reviewed_by": "reviewer-2",
    "overlap_stratum": "moderate",
}
ADVERSARIAL = HELD_OUT | {"primary_family": "adversarial_paraphrase", "made_against": "none"}
NOTE = {"code": "x.beta", "type": "sibling", "reason": "another purpose"}
NEGATIVE = {
    "disposition": "SINGLE",
    "acceptable_concept_codes": ["x.alpha"],
    "forbidden_neighbor_codes": ["x.beta"],
}

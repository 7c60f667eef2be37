"""The page of the attacks: claims, rules, outcomes with their figures, and what went unattacked."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import msgspec
from similarity_attack_records import FOLDER, Remarks
from similarity_records import table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from similarity_attack_records import Attack, Claim, Judgement, Outcome, Rules

HEAD = """# Attacks on our own claims

What this project says of similarity gates was attacked before it was left to stand. Claims, attacks and the figures by
which a claim holds, is weakened or is refuted were committed first, in `{rules}` (SHA-256
`{digest}`); then every attack was run once. Each gives one number,
larger being worse for the claim, and a claim is worth what the worst of its attacks leaves of it.

```sh
pip install 'denotary[encoders,multilingual]' scikit-learn
pip install 'denotary[gate-langchain,gate-llama-index,gate-gptcache,gate-semantic-router]'
python examples/case_studies/similarity_attacks.py CACHE docs/case-studies/attacks.md
```

Corpus: {corpus}. Intervals are 95 %, anchors resampled: 2,000 times, 500 times where hundreds of
intervals are computed.
"""
ORDER: tuple[Judgement, ...] = ("held", "weakened", "refuted")


def page(rules: Rules, digest: str, outcomes: Mapping[str, Outcome]) -> str:
    """Return the page in Markdown; outcomes are by id of attack."""
    remarks = msgspec.convert(tomllib.loads((FOLDER / "remarks.toml").read_text(encoding="utf-8")), Remarks)
    head = HEAD.format(
        rules=f"examples/case_studies/{FOLDER.name}/rules.toml", digest=digest, corpus=rules.corpus
    )
    lines = [head, *_summary(rules, outcomes), ""]
    lines += [line for claim in rules.claim for line in _claim(claim, outcomes, remarks)]
    lines += ["## What was known when the rules were written", "", *(f"* {line}" for line in rules.seen), ""]
    lines += [*(f"* {line}" for line in remarks.seen), ""] if remarks.seen else []
    lines += ["## What was not attacked", "", *(f"* {line}" for line in rules.unattacked)]
    return "\n".join(lines) + "\n"


def judged(claim: Claim, outcomes: Mapping[str, Outcome]) -> Judgement:
    """Return the worst that an attack did to a claim; what was not run does nothing, unless nothing was run."""
    found = [attack.judge(outcomes[attack.id].number) for attack in claim.attack]
    run = [ORDER.index(one) for one in found if one != "not run"]
    return ORDER[max(run)] if run else "not run"


def _summary(rules: Rules, outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    rows = [
        (
            claim.text,
            ", ".join(_outcome(attack, outcomes) for attack in claim.attack),
            _strong(judged(claim, outcomes)),
        )
        for claim in rules.claim
    ]
    return table(("claim, as it stood", "attacks", "outcome"), rows)


def _claim(claim: Claim, outcomes: Mapping[str, Outcome], remarks: Remarks) -> Iterator[str]:
    yield from (f"## {_title(claim.id)}", "", f"> {claim.text}.", "")
    yield f"Where: {', '.join(f'`{place}`' for place in claim.places)}. Outcome: {_strong(judged(claim, outcomes))}."
    yield from ("", remarks.now[claim.id], "") if claim.id in remarks.now else ("",)
    for attack in claim.attack:
        outcome = outcomes[attack.id]
        yield from (f"### {_title(attack.id)}", "", attack.text, "")
        yield f"Rule: {attack.number}; up to {attack.held} held, up to {attack.weakened} weakened, above that refuted."
        number = "could not be run" if outcome.number is None else f"{outcome.number:.3f}"
        yield f"Outcome: {number}, {_strong(attack.judge(outcome.number))}."
        yield from ("", remarks.attack[attack.id], "") if attack.id in remarks.attack else ("",)
        yield from (*table(("", "figure"), outcome.rows), "") if outcome.rows else ()


def _outcome(attack: Attack, outcomes: Mapping[str, Outcome]) -> str:
    return f"[{_title(attack.id).lower()}](#{attack.id}): {attack.judge(outcomes[attack.id].number)}"


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _strong(judgement: Judgement) -> str:
    return judgement if judgement == "held" else f"**{judgement}**"

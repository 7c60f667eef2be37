"""Attacks on what this project says of similarity gates, under rules that were committed before any of them was run.

    python similarity_attacks.py CACHE PAGE.md [ATTACK ...]

Vectors and outcomes are kept in CACHE; ATTACKs named are run anew, else those that are not there yet. Needs the extra
``encoders`` and ``multilingual`` and scikit-learn; one attack also needs the four libraries of ``denotary similarity
shipped``, and counts as not run without them. About ten minutes of one core, two of them to encode.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import similarity_attack_gates
import similarity_attack_page
import similarity_attack_runs
from similarity_attack_records import Outcome, rules
from similarity_attack_runs import Bench

from denotary.canonical import canonical_json
from denotary.files import write_atomic

ATTACKS = {**similarity_attack_runs.ATTACKS, **similarity_attack_gates.ATTACKS}


def main(cache: Path, target: Path, names: list[str]) -> None:
    """Run what is asked for or missing; write the page."""
    cache.mkdir(parents=True, exist_ok=True)
    written, digest = rules()
    paths = {
        attack.id: cache / f"attack-{attack.id}.json" for claim in written.claim for attack in claim.attack
    }
    fresh = names or [name for name, path in paths.items() if not path.exists()]
    if fresh:
        bench = Bench(cache)
        for name in fresh:
            print(name, file=sys.stderr, flush=True)
            write_atomic(paths[name], canonical_json(ATTACKS[name](bench)))
    outcomes = {name: msgspec.json.decode(path.read_bytes(), type=Outcome) for name, path in paths.items()}
    write_atomic(target, similarity_attack_page.page(written, digest, outcomes).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])

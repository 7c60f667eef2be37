from typing import Any

import pytest

from denotary import systems
from denotary.errors import InputError
from denotary.systems.adapters.rules import DecisionRule


@pytest.mark.parametrize(
    ("spec", "kind", "parameters"),
    [
        ("openrefine:http://h/r#limit=3&type=Q5", "openrefine", {"limit": "3", "type": "Q5"}),
        ("reconcile1:https://h/r#scale=100&prefix=wd%3A", "reconcile1", {"scale": "100.0", "prefix": "wd:"}),
        ("fhir:http://h/fhir#url=http%3A//vs&count=2", "fhir", {"url": "http://vs", "count": "2"}),
        ("annif:http://h/v1#project=p&threshold=0", "annif", {"project": "p", "threshold": "0.0"}),
        (
            "rasa:http://h#fallback=a,b&threshold=0.0&pinned=1.2.0",
            "rasa",
            {"fallback": "a,b", "pinned": "1.2.0"},
        ),
        ("gilda:http://h#ties=ambiguous", "gilda", {"ties": "ambiguous"}),
        ("semantic-router:json:loads", "semantic-router", {}),
        ("classifier:json:loads#threshold=0.0", "classifier", {"threshold": "0.0"}),
    ],
)
def test_a_string_names_an_adapter(spec: str, kind: str, parameters: Any) -> None:
    descriptor = systems.from_spec(spec).descriptor
    assert isinstance(descriptor, DecisionRule)
    assert descriptor.kind == kind
    assert parameters.items() <= descriptor.rule_parameters.items()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("annif:http://h#project=p", "threshold is not given"),
        ("classifier:json:loads", "threshold is not given"),
        ("classifier:json:loads#threshold=nan", "expected a number"),
        ("annif:http://h#threshold=0.5", "expected a project"),
        ("fhir:http://h", "value set"),
        ("openrefine:h", "absolute URL"),
        ("openrefine:http://h#limits=3", "unknown or repeated option limits"),
        ("openrefine:http://h#limit=3&limit=4", "repeated"),
        ("openrefine:http://h#limit=0", "whole number"),
        ("rasa:http://h#nonsense", "name=value"),
        ("gilda:no_such_module:x", "cannot be imported"),
        ("template:no-such-file.toml", "no-such-file"),
    ],
)
def test_specifications_that_cannot_be_used(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        systems.from_spec(spec)


def test_batches_where_the_protocol_has_them() -> None:
    assert systems.from_spec("openrefine:http://h", batch_size=7).batch_size == 7  # type: ignore[union-attr]
    for spec in ("rasa:http://h", "gilda:json:loads"):
        with pytest.raises(InputError, match="no batch form"):
            systems.from_spec(spec, batch_size=7)

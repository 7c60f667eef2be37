"""``denotary similarity shipped``, with the libraries as they are installed here."""

from collections.abc import Callable
from typing import Any

from denotary.errors import ExitCode
from denotary.instruments.similarity.shipped import KNOWN, installed_gates


def test_a_gate_that_is_absent_or_unknown_is_said(cli: Callable[..., Any]) -> None:
    done = cli("similarity", "shipped", "nothing", "--encoder", "hash-words")
    assert done.code == ExitCode.USAGE
    assert "no shipped gate named 'nothing'" in done.err
    for name in KNOWN.keys() - installed_gates():
        done = cli("similarity", "shipped", name, "--encoder", "hash-words")
        assert done.code == ExitCode.USAGE
        assert f"denotary[gate-{name}]" in done.err

"""Boolean texts: the whitelist, and the engine's answers against three-valued logic in plain Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denotary.errors import DenotaryError, InputError
from denotary.measures import expressions
from denotary.measures.expressions import check, masks
from denotary.measures.table import Coded, Table

ROWS: list[dict[str, Any]] = [
    {"flag": flag, "number": number, "score": score, "name": name}
    for flag in (False, True)
    for number in (-1, 0, 3)
    for score in (None, 0.25, 0.5)
    for name in (None, "it's", "plain", "")
]


def small() -> Table:
    size = len(ROWS)
    return Table(
        np.arange(size),
        {
            "answered": np.ones(size, dtype=bool),
            "flag": np.asarray([row["flag"] for row in ROWS]),
            "number": np.asarray([row["number"] for row in ROWS], dtype=np.int8),
            "score": np.asarray([np.nan if row["score"] is None else row["score"] for row in ROWS]),
        },
        {"outcome": Coded.of(["right"] * size), "name": Coded.of([row["name"] for row in ROWS])},
    )


TABLE = small()


def lift(function: Callable[..., bool], *values: Any) -> bool | None:
    return None if any(value is None for value in values) else function(*values)


def both(a: bool | None, b: bool | None) -> bool | None:
    return False if a is False or b is False else None if a is None or b is None else True


def negated(a: bool | None) -> bool | None:
    return None if a is None else not a


Meaning = Callable[[dict[str, Any]], bool | None]
ATOMS: list[tuple[str, Meaning]] = [
    ("flag", lambda r: r["flag"]),
    ("TRUE", lambda _: True),
    ("FALSE", lambda _: False),
    ("number <= 0", lambda r: r["number"] <= 0),
    ("number BETWEEN 0 AND 3", lambda r: 0 <= r["number"] <= 3),
    ("number > score", lambda r: lift(lambda n, s: n > s, r["number"], r["score"])),
    ("score >= 0.5", lambda r: lift(lambda s: s >= 0.5, r["score"])),
    ("score IS NULL", lambda r: r["score"] is None),
    ("score IS NOT NULL", lambda r: r["score"] is not None),
    ("name = 'plain'", lambda r: lift(lambda n: n == "plain", r["name"])),
    ("name <> 'it''s'", lambda r: lift(lambda n: n != "it's", r["name"])),
    ("name IN ('plain', '')", lambda r: lift(lambda n: n in ("plain", ""), r["name"])),
    ("name NOT IN ('plain')", lambda r: lift(lambda n: n != "plain", r["name"])),
    ("name IS NULL", lambda r: r["name"] is None),
]


def combined(parts: st.SearchStrategy[tuple[str, Meaning]]) -> st.SearchStrategy[tuple[str, Meaning]]:
    def conjunction(a: tuple[str, Meaning], b: tuple[str, Meaning]) -> tuple[str, Meaning]:
        return f"({a[0]}) AND ({b[0]})", lambda r: both(a[1](r), b[1](r))

    def disjunction(a: tuple[str, Meaning], b: tuple[str, Meaning]) -> tuple[str, Meaning]:
        return f"({a[0]}) OR ({b[0]})", lambda r: negated(both(negated(a[1](r)), negated(b[1](r))))

    return (
        st.builds(conjunction, parts, parts)
        | st.builds(disjunction, parts, parts)
        | parts.map(lambda a: (f"NOT ({a[0]})", lambda r: negated(a[1](r))))
    )


@given(st.lists(st.recursive(st.sampled_from(ATOMS), combined, max_leaves=6), min_size=1, max_size=5))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_engine_follows_three_valued_logic_and_null_counts_as_false(
    texts: list[tuple[str, Meaning]],
) -> None:
    found = masks(TABLE, [text for text, _ in texts])
    for text, meaning in texts:
        assert found[text].tolist() == [meaning(row) is True for row in ROWS]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count(flag) > 1", "'count' is not a column"),
        ("sum(number) OVER () > 1", "'sum' is not a column"),
        ("(SELECT TRUE)", "'SELECT' is not a column"),
        ("flag IN (SELECT flag)", "'SELECT' is not a column"),
        ("random() > 0.5", "'random' is not a column"),
        ("EXISTS (TRUE)", "'EXISTS' is not a column"),
        ("CASE WHEN flag THEN TRUE END", "'CASE' is not a column"),
        ("TRUE) FROM t; DROP TABLE t --", "a bracket is closed that was not opened"),
        ("flag; DROP", "unexpected ';'"),
        ("flag -- comment", "unexpected '-'"),
        ("flag /* x */", "unexpected '/'"),
        ('"flag"', "unexpected '\"'"),
        ("flag::INT = 1", "unexpected ':'"),
        ("name LIKE 'p%'", "'LIKE' is not a column"),
        ("FLAG", "'FLAG' is not a column"),
        ("flag and flag", "'and' is not a column"),
        ("name = 'unheard of'", "'unheard of' is not a label of column 'name'"),
        ("name IN ('plain', 'plane')", "'plane' is not a label of column 'name'"),
        ("outcome = 'plain'", "'plain' is not a label of column 'outcome'"),
        ("number = '1'", "must follow a text column"),
        ("'plain' = name", "must follow a text column"),
        ("name = 'plain' OR 'it''s'", "must follow a text column"),
        ("name < 'plain'", "must follow a text column"),
        ("name BETWEEN 'a' AND 'b'", "must follow a text column"),
        ("name = 'plain' 'plain'", "must follow a text column"),
        ("name = 'open", 'unexpected "\'"'),
    ],
)
def test_the_whitelist(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check(text, TABLE)
    with pytest.raises(InputError, match=message):
        masks(TABLE, ["flag", text])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("number", "expected an expression that is true or false"),
        ("flag, flag", "expected an expression that is true or false"),
        ("", "expected an expression that is true or false|not a valid expression"),
        ("flag AND", "not a valid expression"),
        ("(flag", "not a valid expression"),
        ("name = 1", "not a valid expression"),
        ("flag flag", "not a valid expression"),
    ],
)
def test_what_is_no_boolean_expression_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        masks(TABLE, ["flag", text, "TRUE"])
    assert caught.value.message.startswith(("expected an expression", "not a valid expression"))


def test_the_columns_that_a_text_reads() -> None:
    assert check("flag AND name IN ('plain') OR NOT (score >= 0.5)", TABLE) == {"flag", "name", "score"}


def test_no_texts_and_no_rows() -> None:
    assert masks(TABLE, []) == {}
    empty = Table(
        np.zeros(0, dtype=np.int64),
        {"answered": np.zeros(0, dtype=bool)},
        {"outcome": Coded.of([], ["right"])},
    )
    assert masks(empty, ["answered AND outcome = 'right'"])["answered AND outcome = 'right'"].shape == (0,)


def test_rows_that_come_back_in_another_order_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = expressions._run

    class Turned:
        def __init__(self, found: Any) -> None:
            self.description = found.description
            self._found = found

        def fetchnumpy(self) -> dict[str, Any]:
            return {name: column[::-1] for name, column in self._found.fetchnumpy().items()}

    monkeypatch.setattr(expressions, "_run", lambda *arguments: Turned(real(*arguments)))
    with pytest.raises(DenotaryError, match="another order"):
        masks(TABLE, ["NOT flag"])


def test_a_flag_by_its_own_name_is_what_the_engine_says_of_it() -> None:
    """It is read without the engine; in brackets it goes through it."""
    found = masks(TABLE, ["flag", "(flag)", "TRUE", "(TRUE)"])
    assert np.array_equal(found["flag"], found["(flag)"])
    assert np.array_equal(found["TRUE"], found["(TRUE)"])
    assert found["TRUE"].all()
    assert found["flag"].dtype == np.bool_


def test_the_engine_reads_no_file(tmp_path: Any) -> None:
    """What the whitelist would let through by mistake must still not reach the disk."""
    import duckdb

    (tmp_path / "secret.csv").write_text("a\n1\n")
    with duckdb.connect(":memory:", config={"threads": 1}) as engine:
        engine.execute("SET enable_external_access = false")
        with pytest.raises(duckdb.Error):
            engine.execute(f"SELECT * FROM '{tmp_path / 'secret.csv'}'")


@pytest.mark.parametrize("size", [1, 2047, 2048, 2049, 150_000])
def test_order_is_kept_across_the_engines_chunks(size: int) -> None:
    rng = np.random.default_rng(size)
    flag, number = rng.random(size) < 0.5, rng.integers(0, 100, size)
    column = Coded(rng.integers(-1, 3, size).astype(np.int32), ("a", "b", "c"))
    table = Table(
        np.arange(size),
        {"answered": flag, "number": number},
        {"outcome": Coded.of(["r"] * size), "name": column},
    )
    text = "answered AND number < 50 AND name IN ('a', 'c')"
    expected = flag & (number < 50) & np.isin(column.codes, [0, 2])
    np.testing.assert_array_equal(masks(table, [text])[text], expected)

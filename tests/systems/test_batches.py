import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.systems.base import CallFailure, Reply
from denotary.systems.batches import items_of, record_id_of


def body(*items: Any) -> Any:
    return json.dumps({"items": list(items)}).encode()


def item(name: Any, **rest: Any) -> Any:
    return {"record_id": name, **rest}


def values(results: Any) -> Any:
    return [json.loads(r.raw) if isinstance(r, Reply) else r.problem for r in results]


@given(st.permutations(["a", "b", "c", "d"]))
def test_items_are_matched_by_record_id_in_whatever_order(order: Any) -> None:
    results = items_of(body(*(item(name, x=name) for name in order)), ["a", "b", "c", "d"], 100)
    assert values(results) == [item(name, x=name) for name in "abcd"]


def test_an_item_keeps_its_own_bytes() -> None:
    raw = b'{ "items" : [ {"record_id" : "a",  "x":1.50} ] }'
    assert items_of(raw, ["a"], 100) == [Reply(b'{"record_id" : "a",  "x":1.50}')]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([item("a"), item("a"), item("b")], ["duplicate_id", item("b")]),
        ([item("a"), item("x")], [item("a"), "wrong_id"]),
        ([item("a"), {"no": "id"}], [item("a"), "wrong_id"]),
        ([item("a"), 7, None, "text", [], {"record_id": 5}], [item("a"), "wrong_id"]),
        ([item("a")], [item("a"), "missing_item"]),
        ([], ["missing_item", "missing_item"]),
        ([item("a", pad="x" * 100), item("b")], ["too_large", item("b")]),
        ([item("a"), item("b"), item("other")], [item("a"), item("b")]),
    ],
)
def test_each_request_keeps_its_outcome(items: Any, expected: Any) -> None:
    assert values(items_of(body(*items), ["a", "b"], 90)) == expected


def test_one_spoiled_item_leaves_the_others_alone() -> None:
    results = values(
        items_of(body(item("a", c=math.nan), item("b", c=0.5), item("c", t="\ud800")), ["a", "b", "c"], 90)
    )
    assert math.isnan(results[0]["c"])
    assert results[1:] == [item("b", c=0.5), item("c", t="\ud800")]


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b'{"items": [', "truncated"),
        (b"<html></html>", "html"),
        (b"", "truncated"),
        (b"nonsense", "not_json"),
        (b"\xff\xfe", "not_json"),
        (b"[]", "no_items"),
        (b'{"items": {}}', "no_items"),
        (b'{"answers": []}', "no_items"),
        (b"[" * 100_000, "no_items"),
        (b'{"items": [' + b"[" * 100_000, "no_items"),
        (b'{"items": NaN}', "not_json"),
        ('{"items": [{"record_id": "a"}]}'.encode("utf-16"), "not_json"),
    ],
)
def test_a_body_that_is_no_batch_fails_as_a_whole(raw: Any, problem: Any) -> None:
    with pytest.raises(CallFailure) as caught:
        items_of(raw, ["a"], 100)
    assert (caught.value.outcome, caught.value.problem) == ("invalid_output", problem)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b'{"record_id": "a"}', "a"),
        (b'{"record_id": "a", "c": NaN}', "a"),
        (b'{"record_id": null}', None),
        (b'{"record_id": ["a"], "c": NaN}', None),
        (b"[1, NaN]", None),
        (b"{", None),
        (b"\xff", None),
        ('{"record_id": "a"}'.encode("utf-16"), None),
        (b"[" * 100_000, None),
    ],
)
def test_the_record_id_of_a_line(raw: Any, name: Any) -> None:
    assert record_id_of(raw) == name


@given(st.binary(max_size=200))
def test_any_bytes_have_an_outcome(raw: Any) -> None:
    problems = {"html", "truncated", "not_json", "no_items"}
    try:
        assert len(items_of(raw, ["a", "b"], 100)) == 2
    except CallFailure as failure:
        found = failure
    else:
        return
    assert found.outcome == "invalid_output"
    assert found.problem in problems

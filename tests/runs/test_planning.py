import hashlib
import hmac
from typing import Any

import pytest

from denotary.errors import InputError
from denotary.files import encode_jsonl
from denotary.runs import plan
from denotary.runs.planning import Wire, opaque_id


def test_each_case_is_asked_once_in_the_suites_order(suite: Any) -> None:
    calls = plan(suite(5))
    assert [call.call_id for call in calls] == [f"case-{i:05d}#0" for i in range(5)]
    assert calls[3].payload == {"text": "text of 3", "language": "en", "registry_version": "1.0.0"}


def test_repeats_follow_after_the_first_pass_one_pass_each(suite: Any) -> None:
    calls = plan(suite(10), repeats=3, repeat_core=4)
    assert [call.repeat for call in calls] == [0] * 10 + [1] * 4 + [2] * 4
    first, second = calls[10:14], calls[14:]
    assert [call.case_id for call in first] == [call.case_id for call in second]
    assert len({call.call_id for call in calls}) == 18


def test_the_core_is_the_first_in_hash_order(suite: Any) -> None:
    names = [f"case-{i:05d}" for i in range(50)]
    expected = sorted(names, key=lambda name: hashlib.sha256(f"7:{name}".encode()).digest())[:5]
    assert [call.case_id for call in plan(suite(50), repeats=2, repeat_core=5, seed=7)[50:]] == expected


def test_the_core_depends_on_the_seed_and_on_nothing_else(suite: Any) -> None:
    def core(**options: Any) -> Any:
        return [call.case_id for call in plan(suite(50), repeats=2, repeat_core=5, **options)[50:]]

    assert core(seed=1) == core(seed=1)
    assert core(seed=1) != core(seed=2)


def test_a_larger_core_holds_the_smaller_one(suite: Any) -> None:
    small = {call.case_id for call in plan(suite(50), repeats=2, repeat_core=5)[50:]}
    large = {call.case_id for call in plan(suite(50), repeats=2, repeat_core=20)[50:]}
    assert small < large


def test_the_whole_suite_can_be_the_core(suite: Any) -> None:
    assert len(plan(suite(10), repeats=3, repeat_core="all")) == 30
    assert len(plan(suite(10), repeats=3, repeat_core=0)) == 10
    assert len(plan(suite(10), repeats=1, repeat_core=5)) == 10


def test_the_plan_has_the_same_bytes_each_time(suite: Any) -> None:
    made = [encode_jsonl(plan(suite(30), repeats=2, repeat_core=7, seed=3)) for _ in range(2)]
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "options", [{"repeats": 0}, {"repeats": 2, "repeat_core": 11}, {"repeats": 2, "repeat_core": -1}]
)
def test_numbers_out_of_range_are_refused(suite: Any, options: Any) -> None:
    with pytest.raises(InputError):
        plan(suite(10), **options)


def test_the_opaque_id_is_the_head_of_an_hmac() -> None:
    assert opaque_id(b"salt", "case#0") == hmac.new(b"salt", b"case#0", hashlib.sha256).hexdigest()[:24]


def test_the_system_sees_no_true_id(suite: Any) -> None:
    calls = plan(suite(3), repeats=2)
    wire = Wire(b"k" * 16)
    payloads = [wire.request(call).payload for call in calls]
    assert len({payload["record_id"] for payload in payloads}) == 6
    assert not any("case-0" in str(payload["record_id"]) for payload in payloads)
    assert Wire(b"x" * 16).record_id(calls[0]) != wire.record_id(calls[0])


def test_answers_that_exist_already_are_found_by_the_true_id(suite: Any) -> None:
    (call, *_) = plan(suite(1), repeats=2)
    wire = Wire(b"k" * 16, true_ids=True)
    assert wire.request(call).payload["record_id"] == "case-00000"
    assert wire.request(call).call_id == "case-00000#0"
    assert wire.accepts(call, "case-00000#0")


def test_a_system_cannot_change_the_plan(suite: Any) -> None:
    (call,) = plan(suite(1))
    payload = Wire(b"k" * 16).request(call).payload
    payload["text"] = "other"
    payload.clear()
    assert call.payload["text"] == "text of 0"
    assert "text of" not in repr(call) + repr(Wire(b"k" * 16).request(call))

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denotary.systems.waiting import retry_after


@pytest.mark.parametrize(
    ("value", "seconds"), [("0", 0.0), ("7", 7.0), (" 120 ", 120.0), ("9999999999", 9999999999.0)]
)
def test_whole_seconds(value: Any, seconds: Any) -> None:
    assert retry_after(value) == seconds


@pytest.mark.parametrize(
    "value", [None, "", "soon", "-3", "1.5", "1e3", "٣", "99999999999", "Tue, 99 Foo 2020", "\x00"]
)
def test_what_is_neither_seconds_nor_a_date_is_no_wait_asked_for(value: Any) -> None:
    assert retry_after(value) is None


def test_a_date_is_the_time_until_then() -> None:
    now = datetime.now(UTC)
    wait = retry_after(format_datetime(now + timedelta(seconds=900), usegmt=True))
    assert wait is not None
    assert 800 < wait <= 900
    assert retry_after(format_datetime(now - timedelta(days=1), usegmt=True)) == 0.0


def test_a_date_without_zone_is_utc() -> None:
    later = datetime.now(UTC) + timedelta(seconds=900)
    wait = retry_after(later.strftime("%a, %d %b %Y %H:%M:%S -0000"))
    assert wait is not None
    assert 800 < wait <= 900


@given(st.text())
def test_any_text_is_read_without_a_crash(value: Any) -> None:
    wait = retry_after(value)
    assert wait is None or wait >= 0

"""URLs of an HTTP service."""

import pytest

from denotary.systems.wire import under


@pytest.mark.parametrize(
    ("base", "path", "query", "expected"),
    [
        ("https://example.org", "match", None, "https://example.org/match"),
        ("https://example.org/api/", "match", None, "https://example.org/api/match"),
        ("https://example.org/api?key=1", "match", None, "https://example.org/api/match?key=1"),
        ("https://example.org/?key=1#top", "a/b", {"q": "x y&z"}, "https://example.org/a/b?key=1&q=x+y%26z"),
        (
            "http://[::1]:8080/r",
            "$expand",
            {"url": "http://a"},
            "http://[::1]:8080/r/$expand?url=http%3A%2F%2Fa",
        ),
    ],
)
def test_a_path_goes_before_the_query_of_its_base(
    base: str, path: str, query: dict[str, str] | None, expected: str
) -> None:
    assert under(base, path, query) == expected

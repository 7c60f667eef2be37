"""Files of other formats beside the tests, and what an import makes of them."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def skos_file() -> Path:
    return HERE / "illustrative.ttl"


@pytest.fixture
def obo_file() -> Path:
    return HERE / "illustrative.obo"

"""The table of public calls can be imported by the tests of the room."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "benches"))

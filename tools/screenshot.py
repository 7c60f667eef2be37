"""Write a picture of the top of a report, with a headless Chromium.

python tools/screenshot.py report/report.html docs/images/report.png
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
)
SECONDS = 60


def main(arguments: list[str]) -> int:
    """Take the picture; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--width", type=int, default=1180)
    parser.add_argument("--height", type=int, default=888)
    options = parser.parse_args(arguments)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("no chromium on the path", file=sys.stderr)
        return 1
    out = options.out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        size = f"--window-size={options.width},{options.height}"
        words = [chromium, *FLAGS, f"--user-data-dir={profile}", size, f"--screenshot={out}"]
        subprocess.run(
            [*words, options.report.resolve().as_uri()], check=True, timeout=SECONDS, capture_output=True
        )
    print(f"{options.out}: {out.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env bash
# Run the fast tests with the lowest versions of the run-time dependencies that pyproject.toml allows.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
[ -x .venv-lowest/bin/python ] || "$python" -m venv .venv-lowest
bin=.venv-lowest/bin
"$bin/python" -m pip --quiet --disable-pip-version-check install --upgrade 'pip>=25.1'
"$bin/python" - <<'PY' > .venv-lowest/constraints.txt
import re, tomllib
with open("pyproject.toml", "rb") as handle:
    for requirement in tomllib.load(handle)["project"]["dependencies"]:
        name, lowest = re.match(r"([\w-]+)>=([\w.]+)", requirement).groups()
        print(f"{name}=={lowest}.*" if lowest.count(".") < 2 else f"{name}=={lowest}")
PY
"$bin/python" -m pip --quiet --disable-pip-version-check install -c .venv-lowest/constraints.txt --group test --group oracles --editable .
"$bin/python" -m pytest -q -n 2 -p no:cacheprovider

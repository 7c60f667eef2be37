#!/usr/bin/env bash
# Run every benchmark side by side with its peers, in an environment of its own; write the results and their page.
# DENOTARY_BENCH=nightly runs those of benchmarks/nightly instead, which need hours or much memory.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
[ -x .venv-bench/bin/python ] || "$python" -m venv .venv-bench
bin=.venv-bench/bin
"$bin/python" -m pip --quiet --disable-pip-version-check install --upgrade 'pip>=25.1'
"$bin/python" -m pip --quiet --disable-pip-version-check install --editable . -r benchmarks/requirements.txt
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 PYTHONPATH=benchmarks
for script in benchmarks/${DENOTARY_BENCH:+$DENOTARY_BENCH/}[a-z]*.py; do
  printf '\n== %s\n' "$script"
  "$bin/python" "$script" --json benchmarks/results "$@"
done
"$bin/python" tools/benchmarks_page.py

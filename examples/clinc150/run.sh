#!/usr/bin/env bash
# Convert CLINC150, start the classifier, certify it, stop it. The exit code is the verdict.
#
#   ./run.sh DATA OUT [PORT]
#
# DATA holds data_full.json and domains.json. Needs denotary and scikit-learn in the Python that PYTHON names.
set -euo pipefail
(($# >= 2)) || { echo "usage: run.sh DATA OUT [PORT]" >&2; exit 64; }
data=$1 out=$2 port=${3:-8765} python=${PYTHON:-python3}
here=$(dirname "$0")
mkdir -p "$out"
"$python" "$here/convert.py" "$data" "$out"
"$python" "$here/server.py" "$out" --port "$port" >"$out/server.log" &
server=$!
trap 'kill "$server"' EXIT
until grep -q listening "$out/server.log"; do
  kill -0 "$server" 2>/dev/null || { echo "the server did not start; see $out/server.log" >&2; exit 1; }
  sleep 1
done
"$python" -m denotary certify --suite "$out/suite" --system "http://127.0.0.1:$port/resolve" --batch 100 \
  --identity "$out/identity.toml" --policy c1 --out "$out/report"

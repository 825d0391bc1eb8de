#!/usr/bin/env bash
# Runs compare.py in the environment that scripts/install-deps made; 77 (skipped) where it or the data are missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
python=$here/../../.venv/bin/python
[ -x "$python" ] || { echo "skipped: no .venv (scripts/install-deps makes it)"; exit 77; }
"$python" -c 'import networkx, igraph' 2>/dev/null || { echo "skipped: networkx and igraph are not installed in .venv"; exit 77; }
[ -d "$2" ] || { echo "skipped: no graphs in $2"; exit 77; }
exec "$python" "$here/compare.py" "$1" "$2"

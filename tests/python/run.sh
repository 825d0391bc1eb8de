#!/usr/bin/env bash
# run.sh FOLDER ARGUMENTS…: pytest with the package of that folder, in the environment that
# scripts/install-deps makes; skipped (77) where it lacks a package.
set -eu
cd "$(dirname "$0")/../.."
python=.venv/bin/python
if ! "$python" -c 'import igraph, ipykernel, matplotlib, nbclient, networkx, numpy, pandas, pyarrow, pytest, scipy, tqdm' 2> /dev/null; then
  echo "skipped: .venv has not all of tests/python/requirements.txt"
  exit 77
fi
if [ ! -d "${1%%:*}/antipode_graph" ]; then
  echo "skipped: the module was not built"
  exit 77
fi
export PYTHONPATH=$1 PYTHONDONTWRITEBYTECODE=1
shift
exec "$python" -m pytest -q "$@"

#!/usr/bin/env bash
# Runs formats.py in the environment that scripts/install-deps made; 77 (skipped) where it is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
python=$here/../../.venv/bin/python
[ -x "$python" ] || { echo "skipped: no .venv (scripts/install-deps makes it)"; exit 77; }
exec "$python" "$here/formats.py" "$1"

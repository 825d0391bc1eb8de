#!/usr/bin/env bash
# with_packages.sh PACKAGES SCRIPT ARGUMENTS…: runs a script of this folder in the environment that scripts/install-deps made;
# 77 (skipped) where it lacks one of the packages (names with commas between them).
set -u
here=$(cd "$(dirname "$0")" && pwd)
python=$here/../../.venv/bin/python
[ -x "$python" ] || { echo "skipped: no .venv (scripts/install-deps makes it)"; exit 77; }
"$python" -W ignore -c "import $1" 2>/dev/null || { echo "skipped: not all of $1 are installed in .venv"; exit 77; }
script=$2
shift 2
exec "$python" -W ignore "$here/$script" "$@"

#!/usr/bin/env bash
# Runs report.py in the environment that scripts/install-deps made; 77 (skipped) where it or Chromium is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
python=$here/../../.venv/bin/python
[ -x "$python" ] || { echo "skipped: no .venv (scripts/install-deps makes it)"; exit 77; }
"$python" -c 'import selenium' 2>/dev/null || { echo "skipped: selenium is not installed in .venv"; exit 77; }
command -v chromium > /dev/null && command -v chromedriver > /dev/null || { echo "skipped: no chromium or chromedriver"; exit 77; }
exec "$python" "$here/report.py" "$@"

#!/usr/bin/env bash
# site.sh FOLDER PACKAGE: builds the documentation site with warnings as errors, in the environment
# that scripts/install-deps makes; skipped (77) where it lacks Sphinx.
set -eu
cd "$(dirname "$0")/../.."
[ -x .venv/bin/python ] || { echo "skipped: there is no .venv"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
exec .venv/bin/python docs/_site/build.py "$1" "$2"

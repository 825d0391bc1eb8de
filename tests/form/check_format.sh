#!/usr/bin/env bash
# Every source file is as clang-format leaves it. Other versions format differently: without the
# one named in tests/form/requirements.txt the check is skipped.
set -eu
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^clang-format==\([0-9]*\).*/\1/p' tests/form/requirements.txt)
for tool in .venv/bin/clang-format "clang-format-$version" clang-format; do
  command -v "$tool" > /dev/null || continue
  "$tool" --version | grep -q " version $version\." || continue
  git rev-parse --git-dir > /dev/null 2>&1 || { echo "skipped: not a git checkout"; exit 77; }
  git ls-files -z -- '*.cpp' '*.hpp' '*.cu' '*.cl' 'src/*.js' | xargs -0 "$tool" --dry-run -Werror
  exit 0
done
echo "skipped: clang-format $version is not installed"
exit 77

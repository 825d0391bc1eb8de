#!/usr/bin/env bash
# networkx_own.sh FOLDER some|all: NetworkX's own tests through the backend of the package in that
# folder, what it does not serve by NetworkX itself. So many tests must have a call served.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
case $2 in
  some)
    of=networkx.algorithms
    modules=("$of.tests.test_distance_measures" "$of.tests.test_wiener" "$of.tests.test_efficiency"
      "$of.tests.test_cluster" "$of.components.tests.test_connected"
      "$of.shortest_paths.tests.test_generic" "$of.shortest_paths.tests.test_unweighted"
      "$of.centrality.tests.test_closeness_centrality"
      "$of.centrality.tests.test_harmonic_centrality"
      "$of.centrality.tests.test_betweenness_centrality"
      "$of.centrality.tests.test_betweenness_centrality_subset")
    least=755
    ;;
  all) modules=(networkx) least=1580 ;;
  *) exit 2 ;;
esac
export NETWORKX_TEST_BACKEND=antipode NETWORKX_FALLBACK_TO_NX=True
cd "$here/../.."
exec "$here/run.sh" "$folder:$here" -p served --served-at-least $least \
  --disable-warnings --rootdir "$here" -c /dev/null --pyargs "${modules[@]}"

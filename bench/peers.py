"""One peer on one edge list (ids 0 … n-1, one component), as JSON: seconds to read it and to find its diameter.
Usage: peers.py networkit|igraph EDGE_LIST"""
import json
import sys
import time


def networkit_times(path):
    import networkit
    start = time.perf_counter()
    graph = networkit.readGraph(path, networkit.Format.EdgeListSpaceZero)
    read = time.perf_counter() - start
    start = time.perf_counter()
    answer = networkit.distance.Diameter(graph, algo=networkit.distance.DiameterAlgo.EXACT)
    answer.run()
    return read, time.perf_counter() - start, answer.getDiameter()[0]


def igraph_times(path):
    import igraph
    start = time.perf_counter()
    graph = igraph.Graph.Read_Edgelist(path, directed=False)
    read = time.perf_counter() - start
    if graph.vcount() * graph.ecount() > 2e9:  # one search from every vertex: minutes to days
        return read, None, None
    start = time.perf_counter()
    diameter = graph.diameter(directed=False)
    return read, time.perf_counter() - start, diameter


if __name__ == "__main__":
    read, seconds, diameter = {"networkit": networkit_times, "igraph": igraph_times}[sys.argv[1]](sys.argv[2])
    print(json.dumps({"read": read, "seconds": seconds, "diameter": diameter}))

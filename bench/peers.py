"""One peer on one edge list (ids 0 … n-1, one component), as JSON: seconds to read it (median of five or more) and to find its diameter.
Usage: peers.py networkit|igraph EDGE_LIST"""
import json
import statistics
import sys
import time


def read_by(reader):
    times = []
    while (len(times) < 5 or sum(times) < 0.3) and sum(times) < 5:
        start = time.perf_counter()
        graph = reader()
        times.append(time.perf_counter() - start)
    return graph, statistics.median(times)


def networkit_times(path):
    import networkit
    graph, read = read_by(lambda: networkit.readGraph(path, networkit.Format.EdgeListSpaceZero))
    start = time.perf_counter()
    answer = networkit.distance.Diameter(graph, algo=networkit.distance.DiameterAlgo.EXACT)
    answer.run()
    return read, time.perf_counter() - start, answer.getDiameter()[0]


def igraph_times(path):
    import igraph
    graph, read = read_by(lambda: igraph.Graph.Read_Edgelist(path, directed=False))
    if graph.vcount() * graph.ecount() > 2e9:  # one search from every vertex: minutes to days
        return read, None, None
    start = time.perf_counter()
    diameter = graph.diameter(directed=False)
    return read, time.perf_counter() - start, diameter


if __name__ == "__main__":
    read, seconds, diameter = {"networkit": networkit_times, "igraph": igraph_times}[sys.argv[1]](sys.argv[2])
    print(json.dumps({"read": read, "seconds": seconds, "diameter": diameter}))

"""The graphs of the benchmark: real ones by file name, others by generator; and what is known of them from elsewhere.

peer: seconds of the best of four peers on a 2-core machine (graph loaded, largest component): F-Diam, graph-diameter,
teexGraph or NetworKit, whichever was fastest; None where none was measured. gap: milliseconds of
one breadth-first search by the GAP benchmark suite there, two threads. Generated graphs differ from those in seed and details.
"""
from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Case:
    name: str
    graph: str
    diameter: Optional[int] = None
    peer: Optional[float] = None
    eccentricity_peer: Optional[float] = None
    gap: Optional[float] = None


CASES = [
    Case("wiki-Vote", "wiki-Vote.txt.gz", 7, 0.0038, 0.20, gap=0.11),
    Case("facebook_combined", "facebook_combined.txt.gz", 8, 0.0019),
    Case("ca-CondMat", "ca-CondMat.txt.gz", 15, 0.0045, 3.5, gap=0.41),
    Case("email-Enron", "email-Enron.txt.gz", 13, 0.0127, 0.83, gap=0.38),
    Case("soc-Epinions1", "soc-Epinions1.txt.zst", 15, 0.0383, gap=0.94),
    Case("Email-EuAll", "Email-EuAll.txt.zst", 14, 0.0244, gap=1.6),
    Case("p2p-Gnutella31", "p2p-Gnutella31.txt.zst", 11, 1.395, gap=0.94),
    Case("ego-Twitter", "ego-Twitter.txt.zst", 7, 0.616, gap=1.39),
    Case("dblp-2010", "dblp-2010.txt.zst", 26, 0.246, gap=4.08),
    Case("web-Stanford", "web-Stanford.txt.zst", 164, 0.178, gap=5.86),
    Case("cnr-2000", "cnr-2000.txt.zst", 34, 0.146, gap=10.4),
    Case("power", "power.txt.gz", 46, 0.0013),
    Case("OL-road", "OL-road.gr.gz", 104, 0.0010),
    Case("cal-road", "cal-road.gr.gz", 728, 0.0047),
    Case("usroads", "usroads.mtx.gz", 617, 0.106, 19.7, gap=4.52),
    Case("USA-road-d.NY", "USA-road-d.NY.gr.zst", 720, 0.155, gap=7.76),
    Case("delaunay_n16", "delaunay_n16.txt.zst", 119, 1.12, gap=2.5),
    Case("rmat 18", "gen:rmat?scale=18", None, 0.511, gap=2.17),
    Case("rmat 20", "gen:rmat?scale=20", None, 0.791, gap=10.6),
    Case("grid 1000²", "gen:grid?rows=1000&cols=1000", 1998, 0.487, gap=29.6),
    Case("road 1000²", "gen:road?rows=1000&cols=1000", None, 0.806),
    Case("geometric 200k", "gen:geometric?n=200000", None, 0.505),
    Case("ws 100k", "gen:ws?n=100000&p=0.05", None, 21.4),
    Case("ba 1M", "gen:ba?n=1000000", 6, 25, gap=19.0),
    Case("er 200k", "gen:er?n=200000&degree=8", None, 25),
    Case("wave", "wave.txt.zst", 56),
    Case("com-dblp", "com-dblp.txt.zst", 23),
    Case("web-NotreDame", "web-NotreDame.txt.zst", 46),
    Case("gemsec-fb-artist", "gemsec-fb-artist.txt.zst", 11),
    Case("usa-algs4", "usa-algs4.gr.zst", 534),
    Case("graph65536", "graph65536.rodinia.zst", 12),
    Case("graph4096", "graph4096.rodinia.gz", 9),
]

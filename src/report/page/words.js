'use strict';
// What the sections say of a graph in the same words.
const Words = (() => {
  const {number} = Draw, {there} = Widgets;

  const baseName = name => name.startsWith('gen:') ? name : name.split('/').pop();
  const isWhole = graph => graph.components <= 1;
  const partName = graph => isWhole(graph) ? 'the graph' :
      graph.directed                       ? 'the largest strong component' :
                                             'the largest component';
  const about = graph => isWhole(graph) ?
      `Of all ${number(graph.vertices)} vertices.` :
      `Of ${partName(graph)}: ${number(graph.part.vertices)} of ${
          number(graph.vertices)} vertices.`;
  const bounds = found => there(found) ?
      (found.state === 'exact' ? number(found.lower) :
                                 `${number(found.lower)} – ${number(found.upper)}`) :
      '–';
  const unitOf = graph => graph.weighted ? 'length' : 'distance';
  const edgesOf = graph => graph.directed ? 'arcs' : 'edges';

  const binRows = bins =>
      bins.counts.map((count, i) => [Charts.binName(bins, i), count]).filter(row => row[1] > 0);
  const cumulative = bins => {
    const all = bins.counts.reduce((a, b) => a + b, 0), first = Charts.firstBin(bins),
          points = [[bins.exact ? Math.max(0, first - 1) : first * bins.width, 0]];
    let sum = 0;
    for (let i = first; i < bins.counts.length; ++i)
      points.push([bins.exact ? i : (i + 1) * bins.width, (sum += bins.counts[i]) / all]);
    return points;
  };

  return {baseName, isWhole, partName, about, bounds, unitOf, edgesOf, binRows, cumulative};
})();

'use strict';
// Several graphs: one table, and their curves in common figures. Shares, so that sizes do not
// matter.
const Compare = (() => {
  const {html, number} = Draw;
  const {percent, there, table, box, figure} = Widgets;
  const {baseName, cumulative} = Words;

  const legend = (parent, graphs) => {
    const list = html(parent, 'ul', {class: 'legend'});
    graphs.forEach((graph, i) => {
      const item = html(list, 'li', {}),
            line = Draw.svg(item, 'svg', {viewBox: '0 0 36 10', 'aria-hidden': 'true'});
      Draw.svg(line, 'line', {class: `line s${i % 6}`, x1: 1, x2: 35, y1: 5, y2: 5});
      html(item, 'span', {}, baseName(graph.name));
    });
  };
  const shares = bins => {
    const all = bins.counts.reduce((a, b) => a + b, 0);
    return bins.counts
        .map(
            (count, i) =>
                [bins.exact ? i : (i + 0.5) * bins.width,
                 count / all / (bins.exact ? 1 : bins.width)])
        .filter(point => point[1] > 0);
  };
  const overlay = (grid, graphs, id, title, caption, pick, y, unit) => {
    const series = graphs.map(graph => ({name: baseName(graph.name), points: pick(graph) || []})),
          all = series.flatMap(each => each.points);
    if (!all.length) return;
    const tops = all.map(point => point[1]), ends = all.map(point => point[0]);
    const low = Math.min(...ends), high = Math.max(...ends), log = high > 20 * Math.max(low, 1);
    figure(grid, {
      id,
      title,
      caption,
      draw: place => {
        Charts.curves(place, {
          title,
          description: `Curves of ${graphs.length} graphs.`,
          series,
          x: log ? {log, low: Math.max(low, high / 1e6, 0.5), high, label: unit} :
                   {low, high, label: unit},
          y: y || {low: 0, high: Math.max(...tops) * 1.05, ticks: percent},
          dots: ([a, b], name) => `${name}, ${unit} ${number(a)}: ${percent(b)}`
        });
        legend(place, graphs);
      }
    });
  };
  const comparison = (parent, graphs) => {
    html(parent, 'h2', {}, 'Comparison');
    const grid = html(parent, 'div', {class: 'figures'}),
          [element] = box(grid, 'All graphs', null, {id: 'comparison', wide: true});
    const value = found => there(found) && found.state === 'exact' ? found.lower : null;
    table(
        element,
        [
          '!graph', 'vertices', 'edges', 'components', 'diameter', 'radius', 'mean distance', 'D90',
          'mean degree', 'largest degree', 'seconds'
        ],
        graphs.map(
            graph =>
                [baseName(graph.name), graph.vertices, graph.edges, graph.components,
                 value(graph.diameter), value(graph.diameter.radius),
                 there(graph.distances) ? Number(graph.distances.mean.toPrecision(5)) : null,
                 there(graph.distances) && graph.distances.d90 !== null ?
                     Number(graph.distances.d90.toPrecision(4)) :
                     null,
                 there(graph.degrees) ? Number(graph.degrees.mean.toPrecision(4)) : null,
                 there(graph.degrees) ? graph.degrees.most : null,
                 Number(graph.seconds.toPrecision(3))]),
        {sorted: 0});
    html(
        element, 'figcaption', {},
        'Diameter, radius and distances are those of the largest component of each. A dash: not known within the time. Mean distances may be estimates: see each graph below.');
    const unit = graphs.some(graph => graph.weighted) ? 'length' : 'distance';
    const one = graphs.every(graph => !there(graph.distances) || graph.distances.bins.exact);
    overlay(
        grid, graphs, 'compared-distances', 'Pairs by distance',
        `The share of the pairs${
            one ? '' : ', for each unit of distance,'} of the largest component.`,
        graph => there(graph.distances) ? shares(graph.distances.bins) : null, null, unit);
    overlay(
        grid, graphs, 'compared-hops', 'Pairs within a distance',
        'The share of the pairs that are at most so far apart.',
        graph => there(graph.distances) ? cumulative(graph.distances.bins) : null,
        {low: 0, high: 1, ticks: percent}, unit);
    overlay(
        grid, graphs, 'compared-eccentricities', 'Eccentricities',
        'The share of the vertices of the largest component.',
        graph => there(graph.eccentricities) ? shares(graph.eccentricities.bins) : null, null,
        'eccentricity');
    const tails = graphs.map(graph => there(graph.degrees) ? graph.degrees : {points: []});
    if (tails.some(each => each.points.length))
      figure(grid, {
        id: 'compared-degrees',
        title: 'Degrees',
        caption:
            'The share of the vertices with at least so many neighbours, both scales logarithmic.',
        draw: place => {
          Charts.tail(place, {
            title: 'Degrees',
            description: `Of ${graphs.length} graphs.`,
            series: tails,
            what: 'vertices',
            label: 'degree'
          });
          legend(place, graphs);
        }
      });
  };

  return {comparison};
})();

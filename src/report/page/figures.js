'use strict';
// Figures of distances and of shape, into a grid.
const Figures = (() => {
  const {html, number} = Draw;
  const {percent, digits, plural, there, table, absent, figure} = Widgets;
  const {about, bounds, unitOf, binRows, cumulative} = Words;

  const distanceFigures = (grid, graph) => {
    const d = graph.distances, unit = unitOf(graph);
    if (!there(d)) return absent(grid, 'How far apart pairs are', d);
    figure(grid, {
      id: 'distances',
      title: 'How far apart pairs are',
      section: d,
      log: 'off',
      caption: `Ordered pairs of vertices by ${unit}${
          d.state === 'exact' ? '' : ', scaled up from the sample'}. ${about(graph)}`,
      draw: (place, log) => Charts.bars(place, {
        title: `Pairs by ${unit}`,
        description: `Mean ${number(d.mean)}, median ${
            number(d.median)}, 90 % of the pairs within ${number(d.d90)}.`,
        bins: d.bins,
        log,
        what: 'ordered pairs',
        unit,
        of: 'ordered pairs',
        marked: [
          {at: d.mean, label: `mean ${digits(d.mean, 4)}`},
          {at: d.median, label: `median ${number(d.median)}`},
          {at: d.d90, label: `D90 ${digits(d.d90, 4)}`}
        ]
      }),
      numbers: () => [[unit, 'ordered pairs'], binRows(d.bins)]
    });
    const points = cumulative(d.bins);
    figure(grid, {
      id: 'hops',
      title: 'Pairs within a distance',
      section: d,
      caption: `The share of the pairs that are at most so far apart (hop plot). ${about(graph)}`,
      draw: place => Charts.curves(place, {
        title: 'Hop plot',
        description:
            `Half of the pairs are within ${number(d.median)}, 90 % within ${number(d.d90)}.`,
        series: [{points, area: true}],
        x: {
          low: points[0][0],
          high: points[points.length - 1][0],
          whole: d.bins.exact,
          label: unit
        },
        y: {low: 0, high: 1, ticks: percent},
        marked: [{at: d.d90, label: `90 % within ${digits(d.d90, 4)}`}],
        dots: ([x, y]) => `within ${number(x)}: ${percent(y)} of the pairs`
      })
    });
  };

  const eccentricityFigure = (grid, graph) => {
    const e = graph.eccentricities;
    if (!there(e)) return absent(grid, 'Eccentricities', e);
    figure(grid, {
      id: 'eccentricities',
      title: 'Eccentricities',
      section: e,
      log: 'off',
      caption: `Vertices by the distance to the vertex farthest from them. ${
          e.state === 'exact' ?
              `${number(e.central)} in the center, ${number(e.peripheral)} in the periphery. ` :
              'The sample may miss the rarest ones. '}${about(graph)}`,
      draw: (place, log) => Charts.bars(place, {
        title: 'Vertices by eccentricity',
        description: `The radius is ${bounds(graph.diameter.radius)}, the diameter ${
            bounds(graph.diameter)}.`,
        bins: e.bins,
        log,
        what: 'vertices',
        unit: 'eccentricity',
        of: e.state === 'exact' ? 'vertices' : 'vertices of the sample'
      }),
      numbers: () => [['eccentricity', 'vertices'], binRows(e.bins)]
    });
  };

  const closingFigure = (grid, graph) => {
    const d = graph.diameter;
    if (!there(d)) return absent(grid, 'How the bounds closed', d);
    const element = figure(grid, {
      id: 'closing',
      title: 'How the bounds closed',
      section: d,
      caption: `Lower and upper bound of the diameter after each search. ${
          d.state === 'exact' ? 'They met: the diameter is proved.' :
                                'They have not met.'} ${about(graph)}`,
      draw: place => Charts.closing(place, {
        title: 'Bounds of the diameter',
        description: `From at least ${number(d.trace[0][1])} and at most ${
            number(d.trace[0][2])} to at least ${number(d.lower)} and at most ${number(d.upper)}.`,
        trace: d.trace
      })
    });
    const details = html(element, 'details', {});
    html(details, 'summary', {}, `The steps of the proof (${number(d.all_steps)})`);
    const steps = d.steps.flatMap(
        ([at, text], i) => i > 0 && at > d.steps[i - 1][0] + 1 ?
            [[null, `… ${number(at - d.steps[i - 1][0] - 1)} more …`], [at, text]] :
            [[at, text]]);
    table(details, ['step', '!rule'], steps);
  };

  const shapeFigures = (grid, graph) => {
    const {spindle, path} = graph, unit = unitOf(graph);
    if (there(spindle))
      figure(grid, {
        id: 'spindle',
        wide: true,
        title: 'Spindle: the graph seen from its center',
        caption: `How many vertices are at each ${unit} from vertex ${spindle.vertex}, ${
            there(graph.diameter.radius) && graph.diameter.radius.state === 'exact' ?
                'which is in the center' :
                'which is near the center'}. Widths are logarithmic. A narrow place is a bottleneck, a long end a tail. ${
            about(graph)}`,
        draw: place => Charts.spindle(place, {
          title: 'Level widths from the center',
          description: `${spindle.bins.counts.length} levels; the widest has ${
              number(Math.max(...spindle.bins.counts))} vertices.`,
          bins: spindle.bins,
          unit: `${unit} from the center`
        }),
        numbers: () => [[unit, 'vertices'], binRows(spindle.bins)]
      });
    else
      absent(grid, 'Spindle', spindle);
    if (!there(path)) return absent(grid, 'The longest shortest path', path);
    figure(grid, {
      id: 'path',
      wide: true,
      title: graph.diameter.state === 'exact' ? 'A longest shortest path' :
                                                'The longest shortest path found',
      caption: `${plural(path.vertices, 'vertex', 'vertices')}${
          path.stops.length < path.vertices ?
              `, ${number(path.stops.length)} of them as dots` :
              ''}; below, how many vertices are as far from its first end. ${about(graph)}`,
      draw: place => Charts.walk(place, {
        title: 'Diameter path and level sizes',
        description: `From ${path.stops[0][1]} to ${path.stops[path.stops.length - 1][1]}.`,
        dots: path.stops,
        bins: path.bins,
        unit: `${unit} from ${path.stops[0][1]}`
      }),
      numbers: () => [['vertex of the path', '!label', unit], path.stops]
    });
  };

  return {distanceFigures, eccentricityFigure, closingFigure, shapeFigures};
})();

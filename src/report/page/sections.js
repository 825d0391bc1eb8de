'use strict';
// The sections of one graph.
const Sections = (() => {
  const {html, number} = Draw;
  const {percent, seconds, digits, plural, there, badge, table, box, figure, card, facts} = Widgets;
  const {isWhole, partName, about, bounds, edgesOf} = Words;

  const cards = (parent, graph) => {
    const list = html(parent, 'dl', {class: 'cards'}),
          {distances: d, diameter, eccentricities: e} = graph, radius = diameter.radius;
    card(
        list, 'Vertices', number(graph.vertices),
        isWhole(graph) ? '' :
                         `${percent(graph.part.vertices / graph.vertices)} in ${partName(graph)}`);
    card(
        list, graph.directed ? 'Arcs' : 'Edges', number(graph.edges),
        graph.degrees.mean ?
            `${graph.directed ? '' : 'mean degree '}${digits(graph.degrees.mean, 4)}${
                graph.directed ? ' leave a vertex on average' : ''}` :
            '');
    card(
        list, graph.directed ? 'Strong components' : 'Components', number(graph.components),
        graph.components === 1 ? 'every vertex reaches every other' : '');
    card(
        list, 'Diameter', bounds(diameter),
        there(diameter) ? `${diameter.state === 'exact' ? 'exact, by' : 'bounds after'} ${
                              plural(diameter.searches, 'search', 'searches')}` :
                          'undefined',
        true);
    card(
        list, 'Radius', bounds(radius),
        there(radius) ?
            (radius.state === 'exact' ?
                 (e.central ? `exact; ${plural(e.central, 'central vertex', 'central vertices')}` :
                              'exact') :
                              'bounds') :
                              'undefined');
    card(
        list, 'Mean distance', there(d) ? digits(d.mean, 6) : '–',
        there(d) ? (d.state === 'exact' ? 'exact' :
                        d.error         ? `± ${digits(d.error, 2)} (95 %), from a sample` :
                                          'from a sample') :
            d.state === 'undefined'     ? 'undefined' :
                                          'not computed');
    card(
        list, 'Effective diameter D90', there(d) && d.d90 !== null ? digits(d.d90, 4) : '–',
        there(d) ? `${d.state === 'exact' ? 'exact' : 'from a sample'}; 90 % of pairs are within` :
                   '');
    card(list, 'Time', seconds(graph.seconds), graph.engine[0] ? `engine ${graph.engine[0]}` : '');
  };

  const scope = (parent, graph) => {
    const {dropped: d} = graph, left = graph.vertices - graph.part.vertices, list = [];
    if (d.loops || d.repeats)
      list.push(`Dropped when it was read: ${
              [[d.loops, 'loop'], [d.repeats, 'repeated edge']]
                  .filter(([count]) => count > 0)
                  .map(([count, name]) => plural(count, name))
                  .join(', ')}.`);
    if (d.lengths)
      list.push('The file has lengths; here every edge has length 1 (--weighted uses them).');
    if (d.directions)
      list.push('The file has directions; here edges go both ways (--directed uses them).');
    if (!isWhole(graph))
      list.push(`The graph has ${number(graph.components)} ${
          graph.directed ?
              'strong ' :
              ''}components. Distances, eccentricities and centralities are those of the largest: ${
          number(graph.part.vertices)} vertices, ${number(graph.part.edges)} ${edgesOf(graph)}; ${
          plural(left, 'vertex', 'vertices')} and ${number(graph.edges - graph.part.edges)} ${
          edgesOf(graph)} are left out. Degrees and sizes are those of the whole graph.`);
    if (graph.wider && graph.wider.vertices)
      list.push(`Elsewhere a component of ${
          number(
              graph.wider
                  .vertices)} vertices is farther apart than the largest: its diameter is at least ${
          number(graph.wider.at_least)}.`);
    if (graph.wider && graph.wider.undecided)
      list.push(`Whether ${
          plural(graph.wider.undecided, 'other component')} may be farther apart is not known.`);
    if (graph.directed) list.push('Distances go along the arcs.');
    if (graph.weighted) list.push('A distance is the least sum of lengths along a path.');
    list.push(...graph.notices);
    if (!list.length) list.push('Nothing was left out: the figures are those of the whole graph.');
    const items = html(parent, 'ul', {class: 'scope'});
    for (const text of list) html(items, 'li', {}, text);
  };

  const structureFigures = (grid, graph) => {
    const degrees = graph.degrees, parts = graph.component_list;
    if (there(degrees) && degrees.points.length)
      figure(grid, {
        id: 'degrees',
        title: graph.directed ? 'Out-degrees' : 'Degrees',
        section: degrees,
        caption: `The share of the vertices with at least so many ${
            graph.directed ? 'leaving arcs' : 'neighbours'}, both scales logarithmic. From ${
            number(degrees.least)} to ${number(degrees.most)}; ${
            plural(
                degrees.isolated, graph.directed ? 'vertex has none' : 'isolated vertex',
                graph.directed ? 'vertices have none' : 'isolated vertices')}. Of the whole graph.`,
        draw: place => Charts.tail(place, {
          title: 'Degrees, complementary distribution',
          description:
              `The mean degree is ${number(degrees.mean)}, the largest ${number(degrees.most)}.`,
          series: [degrees],
          what: 'vertices',
          label: 'degree'
        }),
        numbers: () => [['degree', 'share with at least so many'], degrees.points]
      });
    if (!there(parts)) return;
    const [element] =
        box(grid, graph.directed ? 'Strong components' : 'Components', parts, {id: 'components'});
    if (parts.points.length > 1)
      Charts.tail(element, {
        title: 'Sizes of components',
        description: `${number(parts.count)} components.`,
        series: [parts],
        what: 'components',
        label: 'vertices'
      });
    table(element, ['vertices', edgesOf(graph), 'diameter'], parts.list);
    html(
        element, 'figcaption', {},
        parts.count > parts.list.length ?
            `The ${parts.list.length} largest of ${
                number(parts.count)}. A dash: not known within the time.` :
            `${plural(parts.count, 'component')}.`);
  };

  // Values of betweenness are shares.
  const guarantee = epsilon => epsilon === null ?
      '' :
      epsilon < 0.2 ?
      `; every value is within ${digits(epsilon, 2)} of the exact one, with a probability of 90 %` :
      ', too few for a useful guarantee';

  const centralSection = (parent, graph) => {
    const c = graph.central;
    html(parent, 'h2', {}, 'Most central vertices');
    if (!there(c))
      return void html(parent, 'p', {}, 'Between fewer than three vertices there is none.');
    const [element, top] =
        box(html(parent, 'div', {class: 'figures'}), 'Top twenty by closeness and by betweenness',
            null, {id: 'central', wide: true});
    for (const [name, section] of [['closeness ', c.closeness], ['betweenness ', c.betweenness]])
      badge(top, section).prepend(name);
    const near = {
      exact: 'Closeness: no vertex is nearer to all others than those ranked.',
      sample: `Closeness: exact values, of the vertices nearest to a sample of ${
          number(c.closeness.sources)}; another may be nearer to all.`,
      missing: `Closeness: not ranked, ${c.closeness.why}.`
    }[c.closeness.state];
    const busy = {
      exact:
          'Betweenness: the share of the shortest paths between two others that pass the vertex, exact.',
      sample: `Betweenness: estimated from ${number(c.betweenness.sources)} of ${
          number(c.betweenness.of)} sources${guarantee(c.betweenness.epsilon)}.`,
      missing: `Betweenness: not computed, ${c.betweenness.why}.`
    }[c.betweenness.state];
    table(
        element,
        [
          '!vertex', 'degree', 'eccentricity', 'closeness', 'rank by closeness', 'betweenness',
          'rank by betweenness'
        ],
        c.rows, {sorted: c.closeness.state === 'missing' ? 6 : 4});
    html(element, 'figcaption', {}, `${near} ${busy} ${about(graph)}`);
  };

  const provenance = (parent, graph, certificate) => {
    html(parent, 'h2', {}, 'Where the figures come from');
    facts(parent, [
      ['Graph', `${graph.name} (${graph.format})`],
      [
        'Fingerprint',
        `${graph.fingerprint}, of labels, edges${graph.directed ? ', directions' : ''}${
            graph.weighted ? ', lengths' : ''}`
      ],
      ['Engine', graph.engine.filter(Boolean).join(', ')],
      ['Time', graph.times.map(([name, time]) => `${name} ${seconds(time)}`).join(', ')],
      ['Memory', `${number(Math.ceil(graph.memory / 1e6))} MB at most until then`],
      [
        'Certificate',
        graph.diameter.facts === undefined ?
            (certificate ? 'none was finished' : '') :
            `${certificate}: the diameter in ${
                plural(graph.diameter.facts, 'fact')}; check it with antipode verify`
      ]
    ]);
  };

  const report = (parent, graph, certificate) => {
    cards(parent, graph);
    html(parent, 'h2', {}, 'What the figures speak of');
    scope(parent, graph);
    const grids = {};
    for (const title of ['Distances', 'Shape', 'Structure']) {
      html(parent, 'h2', {}, title);
      grids[title] = html(parent, 'div', {class: 'figures'});
    }
    Figures.distanceFigures(grids.Distances, graph);
    Figures.eccentricityFigure(grids.Distances, graph);
    Figures.closingFigure(grids.Distances, graph);
    Figures.shapeFigures(grids.Shape, graph);
    structureFigures(grids.Structure, graph);
    centralSection(parent, graph);
    provenance(parent, graph, certificate);
  };

  return {report};
})();

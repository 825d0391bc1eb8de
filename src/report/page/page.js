'use strict';
// Builds the page from the numbers in it.
(() => {
  const {html, number} = Draw;
  const {seconds, plural, facts} = Widgets;
  const {baseName, edgesOf} = Words;
  const data = JSON.parse(document.getElementById('data').textContent);
  const many = data.graphs.length > 1;

  const origin = parent => {
    html(parent, 'h2', {}, 'How the page was made, and how to cite it');
    facts(parent, [
      ['Program', `Antipode ${data.version}`], ['Command', data.command], ['Date', data.date],
      ['Machine', plural(data.processors, 'processor')],
      [
        'Limit',
        data.limit > 0 ?
            `${seconds(data.limit)} for each graph, shared by the sections; samples with seed ${
                data.seed}` :
            'none'
      ]
    ]);
    html(
        parent, 'pre', {tabindex: 0},
        `@software{antipode,\n  title   = {Antipode: exact distances in huge sparse graphs},\n  author  = {{The Antipode authors}},\n  year    = {${
            data.date.slice(0, 4)}},\n  version = {${data.version}},\n  license = {MIT}\n}`);
  };

  const main = document.getElementById('content');
  main.replaceChildren();
  html(main, 'p', {class: 'kicker'}, 'Antipode report');
  html(main, 'h1', {}, many ? `${data.graphs.length} graphs` : baseName(data.graphs[0].name));
  const lead = graph => `${plural(graph.vertices, 'vertex', 'vertices')}, ${number(graph.edges)} ${
      edgesOf(graph)}${graph.weighted ? ' with lengths' : ''}, from ${graph.name}`;
  if (many) {
    const links = html(main, 'nav', {'aria-label': 'Graphs'});
    data.graphs.forEach(
        (graph, i) => html(links, 'a', {href: `#graph-${i + 1}`}, baseName(graph.name)));
  } else
    html(main, 'p', {class: 'lead'}, lead(data.graphs[0]));
  if (many) Compare.comparison(main, data.graphs);
  data.graphs.forEach((graph, i) => {
    const place = html(
        main, 'section',
        many ? {class: 'graph', id: `graph-${i + 1}`, 'aria-label': graph.name} : {});
    if (many) {
      html(place, 'h1', {}, baseName(graph.name));
      html(place, 'p', {class: 'lead'}, lead(graph));
    }
    Sections.report(place, graph, data.certificate);
  });
  origin(main);
  document.documentElement.dataset.ready = 'yes';
})();

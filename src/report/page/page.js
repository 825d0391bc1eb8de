"use strict";
// Builds the page from the numbers in it.
(() => {
  const {html, number} = Draw, {percent, seconds, digits, plural, there, badge, table, box, absent, figure, card, facts} = Widgets;
  const data = JSON.parse(document.getElementById("data").textContent);
  const many = data.graphs.length > 1;

  const baseName = name => name.startsWith("gen:") ? name : name.split("/").pop();
  const isWhole = graph => graph.components <= 1;
  const partName = graph => isWhole(graph) ? "the graph" : graph.directed ? "the largest strong component" : "the largest component";
  const about = graph => isWhole(graph) ? `Of all ${number(graph.vertices)} vertices.` : `Of ${partName(graph)}: ${number(graph.part.vertices)} of ${number(graph.vertices)} vertices.`;
  const bounds = found => there(found) ? (found.state === "exact" ? number(found.lower) : `${number(found.lower)} – ${number(found.upper)}`) : "–";
  const unitOf = graph => graph.weighted ? "length" : "distance";
  const edgesOf = graph => graph.directed ? "arcs" : "edges";

  const binRows = bins => bins.counts.map((count, i) => [Charts.binName(bins, i), count]).filter(row => row[1] > 0);
  const cumulative = bins => {
    const all = bins.counts.reduce((a, b) => a + b, 0), first = Charts.firstBin(bins), points = [[bins.exact ? Math.max(0, first - 1) : first * bins.width, 0]];
    let sum = 0;
    for (let i = first; i < bins.counts.length; ++i) points.push([bins.exact ? i : (i + 1) * bins.width, (sum += bins.counts[i]) / all]);
    return points;
  };

  const cards = (parent, graph) => {
    const list = html(parent, "dl", {class: "cards"}), {distances: d, diameter, eccentricities: e} = graph, radius = diameter.radius;
    card(list, "Vertices", number(graph.vertices), isWhole(graph) ? "" : `${percent(graph.part.vertices / graph.vertices)} in ${partName(graph)}`);
    card(list, graph.directed ? "Arcs" : "Edges", number(graph.edges), graph.degrees.mean ? `${graph.directed ? "" : "mean degree "}${digits(graph.degrees.mean, 4)}${graph.directed ? " leave a vertex on average" : ""}` : "");
    card(list, graph.directed ? "Strong components" : "Components", number(graph.components), graph.components === 1 ? "every vertex reaches every other" : "");
    card(list, "Diameter", bounds(diameter), there(diameter) ? `${diameter.state === "exact" ? "exact, by" : "bounds after"} ${plural(diameter.searches, "search", "searches")}` : "undefined", true);
    card(list, "Radius", bounds(radius), there(radius) ? (radius.state === "exact" ? (e.central ? `exact; ${plural(e.central, "central vertex", "central vertices")}` : "exact") : "bounds") : "undefined");
    card(list, "Mean distance", there(d) ? digits(d.mean, 6) : "–", there(d) ? (d.state === "exact" ? "exact" : d.error ? `± ${digits(d.error, 2)} (95 %), from a sample` : "from a sample") : d.state === "undefined" ? "undefined" : "not computed");
    card(list, "Effective diameter D90", there(d) && d.d90 !== null ? digits(d.d90, 4) : "–", there(d) ? `${d.state === "exact" ? "exact" : "from a sample"}; 90 % of pairs are within` : "");
    card(list, "Time", seconds(graph.seconds), graph.engine[0] ? `engine ${graph.engine[0]}` : "");
  };

  const scope = (parent, graph) => {
    const {dropped: d} = graph, left = graph.vertices - graph.part.vertices, list = [];
    if (d.loops || d.repeats) list.push(`Dropped when it was read: ${plural(d.loops, "loop")}, ${plural(d.repeats, "repeated edge")}.`);
    if (d.lengths) list.push("The file has lengths; here every edge has length 1 (--weighted uses them).");
    if (d.directions) list.push("The file has directions; here edges go both ways (--directed uses them).");
    if (!isWhole(graph)) list.push(`The graph has ${number(graph.components)} ${graph.directed ? "strong " : ""}components. Distances, eccentricities and centralities are those of the largest: ${number(graph.part.vertices)} vertices, ${number(graph.part.edges)} ${edgesOf(graph)}; ${plural(left, "vertex", "vertices")} and ${number(graph.edges - graph.part.edges)} ${edgesOf(graph)} are left out. Degrees and sizes are those of the whole graph.`);
    if (graph.wider && graph.wider.vertices) list.push(`Elsewhere a component of ${number(graph.wider.vertices)} vertices is farther apart than the largest: its diameter is at least ${number(graph.wider.at_least)}.`);
    if (graph.wider && graph.wider.undecided) list.push(`Whether ${plural(graph.wider.undecided, "other component")} may be farther apart is not known.`);
    if (graph.directed) list.push("Distances go along the arcs.");
    if (graph.weighted) list.push("A distance is the least sum of lengths along a path.");
    list.push(...graph.notices);
    if (!list.length) list.push("Nothing was left out: the figures are those of the whole graph.");
    const items = html(parent, "ul", {class: "scope"});
    for (const text of list) html(items, "li", {}, text);
  };

  const distanceFigures = (grid, graph) => {
    const d = graph.distances, unit = unitOf(graph);
    if (!there(d)) return absent(grid, "How far apart pairs are", d);
    figure(grid, {id: "distances", title: "How far apart pairs are", section: d, log: "off",
      caption: `Ordered pairs of vertices by ${unit}${d.state === "exact" ? "" : ", scaled up from the sample"}. ${about(graph)}`,
      draw: (place, log) => Charts.bars(place, {title: `Pairs by ${unit}`, description: `Mean ${number(d.mean)}, median ${number(d.median)}, 90 % of the pairs within ${number(d.d90)}.`,
        bins: d.bins, log, what: "ordered pairs", unit, of: "ordered pairs", marked: [{at: d.mean, label: `mean ${digits(d.mean, 4)}`}, {at: d.median, label: `median ${number(d.median)}`}, {at: d.d90, label: `D90 ${digits(d.d90, 4)}`}]}),
      numbers: () => [[unit, "ordered pairs"], binRows(d.bins)]});
    const points = cumulative(d.bins);
    figure(grid, {id: "hops", title: "Pairs within a distance", section: d, caption: `The share of the pairs that are at most so far apart (hop plot). ${about(graph)}`,
      draw: place => Charts.curves(place, {title: "Hop plot", description: `Half of the pairs are within ${number(d.median)}, 90 % within ${number(d.d90)}.`, series: [{points, area: true}],
        x: {low: points[0][0], high: points[points.length - 1][0], whole: d.bins.exact, label: unit}, y: {low: 0, high: 1, ticks: percent}, marked: [{at: d.d90, label: `90 % within ${digits(d.d90, 4)}`}], dots: ([x, y]) => `within ${number(x)}: ${percent(y)} of the pairs`})});
  };

  const eccentricityFigure = (grid, graph) => {
    const e = graph.eccentricities;
    if (!there(e)) return absent(grid, "Eccentricities", e);
    figure(grid, {id: "eccentricities", title: "Eccentricities", section: e, log: "off",
      caption: `Vertices by the distance to the vertex farthest from them. ${e.state === "exact" ? `${number(e.central)} in the center, ${number(e.peripheral)} in the periphery. ` : "The sample may miss the rarest ones. "}${about(graph)}`,
      draw: (place, log) => Charts.bars(place, {title: "Vertices by eccentricity", description: `The radius is ${bounds(graph.diameter.radius)}, the diameter ${bounds(graph.diameter)}.`, bins: e.bins, log, what: "vertices", unit: "eccentricity", of: e.state === "exact" ? "vertices" : "vertices of the sample"}),
      numbers: () => [["eccentricity", "vertices"], binRows(e.bins)]});
  };

  const closingFigure = (grid, graph) => {
    const d = graph.diameter;
    if (!there(d)) return absent(grid, "How the bounds closed", d);
    const element = figure(grid, {id: "closing", title: "How the bounds closed", section: d,
      caption: `Lower and upper bound of the diameter after each search. ${d.state === "exact" ? "They met: the diameter is proved." : "They have not met."} ${about(graph)}`,
      draw: place => Charts.closing(place, {title: "Bounds of the diameter", description: `From at least ${number(d.trace[0][1])} and at most ${number(d.trace[0][2])} to at least ${number(d.lower)} and at most ${number(d.upper)}.`, trace: d.trace})});
    const details = html(element, "details", {});
    html(details, "summary", {}, `The steps of the proof (${number(d.all_steps)})`);
    const steps = d.steps.flatMap(([at, text], i) => i > 0 && at > d.steps[i - 1][0] + 1 ? [[null, `… ${number(at - d.steps[i - 1][0] - 1)} more …`], [at, text]] : [[at, text]]);
    table(details, ["step", "!rule"], steps);
  };

  const shapeFigures = (grid, graph) => {
    const {spindle, path} = graph, unit = unitOf(graph);
    if (there(spindle))
      figure(grid, {id: "spindle", wide: true, title: "Spindle: the graph seen from its center",
        caption: `How many vertices are at each ${unit} from vertex ${spindle.vertex}, ${there(graph.diameter.radius) && graph.diameter.radius.state === "exact" ? "which is in the center" : "which is near the center"}. Widths are logarithmic. A narrow place is a bottleneck, a long end a tail. ${about(graph)}`,
        draw: place => Charts.spindle(place, {title: "Level widths from the center", description: `${spindle.bins.counts.length} levels; the widest has ${number(Math.max(...spindle.bins.counts))} vertices.`, bins: spindle.bins, unit: `${unit} from the center`}),
        numbers: () => [[unit, "vertices"], binRows(spindle.bins)]});
    else absent(grid, "Spindle", spindle);
    if (!there(path)) return absent(grid, "The longest shortest path", path);
    figure(grid, {id: "path", wide: true, title: graph.diameter.state === "exact" ? "A longest shortest path" : "The longest shortest path found",
      caption: `${plural(path.vertices, "vertex", "vertices")}${path.stops.length < path.vertices ? `, ${number(path.stops.length)} of them as dots` : ""}; below, how many vertices are as far from its first end. ${about(graph)}`,
      draw: place => Charts.walk(place, {title: "Diameter path and level sizes", description: `From ${path.stops[0][1]} to ${path.stops[path.stops.length - 1][1]}.`, dots: path.stops, bins: path.bins, unit: `${unit} from ${path.stops[0][1]}`}),
      numbers: () => [["vertex of the path", "!label", unit], path.stops]});
  };

  const structureFigures = (grid, graph) => {
    const degrees = graph.degrees, parts = graph.component_list;
    if (there(degrees) && degrees.points.length)
      figure(grid, {id: "degrees", title: graph.directed ? "Out-degrees" : "Degrees", section: degrees,
        caption: `The share of the vertices with at least so many ${graph.directed ? "leaving arcs" : "neighbours"}, both scales logarithmic. From ${number(degrees.least)} to ${number(degrees.most)}; ${plural(degrees.isolated, graph.directed ? "vertex has none" : "isolated vertex", graph.directed ? "vertices have none" : "isolated vertices")}. Of the whole graph.`,
        draw: place => Charts.tail(place, {title: "Degrees, complementary distribution", description: `The mean degree is ${number(degrees.mean)}, the largest ${number(degrees.most)}.`, series: [degrees], what: "vertices", label: "degree"}),
        numbers: () => [["degree", "share with at least so many"], degrees.points]});
    if (!there(parts)) return;
    const [element] = box(grid, graph.directed ? "Strong components" : "Components", parts, {id: "components"});
    if (parts.points.length > 1) Charts.tail(element, {title: "Sizes of components", description: `${number(parts.count)} components.`, series: [parts], what: "components", label: "vertices"});
    table(element, ["vertices", edgesOf(graph), "diameter"], parts.list);
    html(element, "figcaption", {}, parts.count > parts.list.length ? `The ${parts.list.length} largest of ${number(parts.count)}. A dash: not known within the time.` : `${plural(parts.count, "component")}.`);
  };

  const centralSection = (parent, graph) => {
    const c = graph.central;
    html(parent, "h2", {}, "Most central vertices");
    if (!there(c)) return void html(parent, "p", {}, "Between fewer than three vertices there is none.");
    const [element, top] = box(html(parent, "div", {class: "figures"}), "Top twenty by closeness and by betweenness", null, {id: "central", wide: true});
    for (const [name, section] of [["closeness ", c.closeness], ["betweenness ", c.betweenness]]) badge(top, section).prepend(name);
    const near = {exact: "Closeness: no vertex is nearer to all others than those ranked.", sample: `Closeness: exact values, of the vertices nearest to a sample of ${number(c.closeness.sources)}; another may be nearer to all.`, missing: `Closeness: not ranked, ${c.closeness.why}.`}[c.closeness.state];
    const busy = {exact: "Betweenness: the share of the shortest paths between two others that pass the vertex, exact.", sample: `Betweenness: estimated from ${number(c.betweenness.sources)} of ${number(c.betweenness.of)} sources${c.betweenness.epsilon ? `; every value is within ${digits(c.betweenness.epsilon, 2)} with a probability of 90 %` : ""}.`, missing: `Betweenness: not computed, ${c.betweenness.why}.`}[c.betweenness.state];
    table(element, ["!vertex", "degree", "eccentricity", "closeness", "rank by closeness", "betweenness", "rank by betweenness"], c.rows, {sorted: c.closeness.state === "missing" ? 6 : 4});
    html(element, "figcaption", {}, `${near} ${busy} ${about(graph)}`);
  };

  const provenance = (parent, graph) => {
    html(parent, "h2", {}, "Where the figures come from");
    facts(parent, [["Graph", `${graph.name} (${graph.format})`], ["Fingerprint", `${graph.fingerprint}, of labels, edges${graph.directed ? ", directions" : ""}${graph.weighted ? ", lengths" : ""}`],
      ["Engine", graph.engine.filter(Boolean).join(", ")], ["Time", graph.times.map(([name, time]) => `${name} ${seconds(time)}`).join(", ")], ["Memory", `${number(Math.ceil(graph.memory / 1e6))} MB at most until then`],
      ["Certificate", graph.diameter.facts === undefined ? (data.certificate ? "none was finished" : "") : `${data.certificate}: the diameter in ${plural(graph.diameter.facts, "fact")}; check it with antipode verify`]]);
  };

  const origin = parent => {
    html(parent, "h2", {}, "How the page was made, and how to cite it");
    facts(parent, [["Program", `Antipode ${data.version}`], ["Command", data.command], ["Date", data.date], ["Machine", plural(data.processors, "processor")],
      ["Limit", data.limit > 0 ? `${seconds(data.limit)} for each graph, shared by the sections; samples with seed ${data.seed}` : "none"]]);
    html(parent, "pre", {tabindex: 0}, `@software{antipode,\n  title = {Antipode: exact distances in huge sparse graphs},\n  version = {${data.version}},\n  year = {${data.date.slice(0, 4)}}\n}`);
  };

  const report = (parent, graph) => {
    cards(parent, graph);
    html(parent, "h2", {}, "What the figures speak of");
    scope(parent, graph);
    const grids = {};
    for (const title of ["Distances", "Shape", "Structure"]) { html(parent, "h2", {}, title); grids[title] = html(parent, "div", {class: "figures"}); }
    distanceFigures(grids.Distances, graph);
    eccentricityFigure(grids.Distances, graph);
    closingFigure(grids.Distances, graph);
    shapeFigures(grids.Shape, graph);
    structureFigures(grids.Structure, graph);
    centralSection(parent, graph);
    provenance(parent, graph);
  };

  const main = document.getElementById("content");
  main.replaceChildren();
  html(main, "p", {class: "kicker"}, "Antipode report");
  html(main, "h1", {}, many ? `${data.graphs.length} graphs` : baseName(data.graphs[0].name));
  const lead = graph => `${plural(graph.vertices, "vertex", "vertices")}, ${number(graph.edges)} ${edgesOf(graph)}${graph.weighted ? " with lengths" : ""}, from ${graph.name}`;
  html(main, "p", {class: "lead"}, many ? data.graphs.map(graph => baseName(graph.name)).join(", ") : lead(data.graphs[0]));
  for (const graph of data.graphs) {
    if (many) html(main, "h2", {}, baseName(graph.name));
    report(main, graph);
  }
  origin(main);
  document.documentElement.dataset.ready = "yes";
})();

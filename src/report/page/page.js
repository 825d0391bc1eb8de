"use strict";
// Builds the page from the numbers in it: cards, figures with switches, tables that sort.
(() => {
  const {html, svg, number} = Draw;
  const data = JSON.parse(document.getElementById("data").textContent);
  const many = data.graphs.length > 1;

  const percent = share => share >= 0.1 ? `${Math.round(share * 100)} %` : `${Number((share * 100).toPrecision(2))} %`;
  const seconds = time => time < 0.001 ? `${Math.round(time * 1e6)} µs` : time < 1 ? `${Number((time * 1e3).toPrecision(3))} ms` : `${Number(time.toPrecision(3))} s`;
  const bounds = found => found && found.state !== "undefined" && found.lower !== undefined ? (found.state === "exact" ? number(found.lower) : `${number(found.lower)} – ${number(found.upper)}`) : "–";
  const there = section => section && section.state !== "missing" && section.state !== "undefined";
  const partName = graph => graph.components <= 1 ? "the graph" : graph.directed ? "the largest strong component" : "the largest component";
  const about = graph => graph.components <= 1 ? `All ${number(graph.vertices)} vertices.` : `Of ${partName(graph)}: ${number(graph.part.vertices)} of ${number(graph.vertices)} vertices.`;
  const state = section => section.state === "exact" ? ["exact", "exact"] :
    section.state === "sample" ? ["", `sample: ${number(section.sources)} of ${number(section.of)} vertices`] : section.state === "bounds" ? ["", "bounds only"] : ["", section.state];

  const table = (parent, heads, rows, sortable) => {
    const box = html(parent, "div", {class: "scroll", tabindex: sortable ? -1 : 0}), element = html(box, "table", {}), line = html(html(element, "thead", {}), "tr", {}), body = html(element, "tbody", {});
    const write = () => {
      body.replaceChildren();
      for (const row of rows) {
        const tr = html(body, "tr", {});
        row.forEach((cell, i) => html(tr, "td", heads[i].startsWith("!") ? {class: "text"} : {}, typeof cell === "number" ? number(cell) : cell === null ? "–" : cell));
      }
    };
    heads.forEach((head, i) => {
      const th = html(line, "th", {scope: "col", ...(head.startsWith("!") ? {class: "text"} : {})}, sortable ? undefined : head.replace("!", ""));
      if (!sortable) return;
      html(th, "button", {type: "button"}, head).addEventListener("click", () => {
        const up = th.getAttribute("aria-sort") === "descending" || (th.getAttribute("aria-sort") === null && typeof rows[0][i] === "string");
        for (const other of line.children) other.removeAttribute("aria-sort");
        th.setAttribute("aria-sort", up ? "ascending" : "descending");
        const none = up ? Infinity : -Infinity, key = row => row[i] === null ? none : row[i];
        rows.sort((a, b) => (typeof key(a) === "string" ? key(a).localeCompare(key(b), "en", {numeric: true}) : key(a) - key(b)) * (up ? 1 : -1));
        write();
      });
    });
    write();
    return element;
  };

  // A figure: heading, badge, switches, picture, caption, and its numbers as a table that is made when it is opened.
  const figure = (parent, {id, title, section, wide, caption, draw, log, numbers}) => {
    const box = html(parent, "figure", {class: wide ? "figure wide" : "figure", ...(id ? {"data-figure": id} : {})}), top = html(box, "div", {class: "top"});
    html(top, "h3", {}, title);
    if (section) { const [kind, text] = state(section); html(top, "span", {class: `badge ${kind}`}, text); }
    const picture = html(box, "div", {class: "picture"});
    let logarithmic = log === "on";
    const redraw = () => { picture.replaceChildren(); draw(picture, logarithmic); };
    if (log) {
      const button = html(top, "button", {type: "button", class: "switch", role: "switch", "aria-checked": logarithmic});
      html(button, "i", {"aria-hidden": "true"});
      html(button, "span", {}, "logarithmic");
      button.addEventListener("click", () => { logarithmic = !logarithmic; button.setAttribute("aria-checked", logarithmic); redraw(); });
    }
    redraw();
    if (caption) html(box, "figcaption", {}, caption);
    if (numbers) {
      const details = html(box, "details", {});
      html(details, "summary", {}, "Numbers");
      details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) table(details, ...numbers()); });
    }
    return box;
  };
  const absent = (parent, title, section) => {
    const box = html(parent, "figure", {class: "figure"}), top = html(box, "div", {class: "top"});
    html(top, "h3", {}, title);
    html(top, "span", {class: "badge"}, section.state === "undefined" ? "undefined" : "not computed");
    html(box, "figcaption", {}, section.why ? `Not computed: ${section.why}.` : "There is nothing to measure.");
  };

  const binRows = bins => bins.counts.map((count, i) => [Charts.binName(bins, i), count]).filter(row => row[1] > 0);
  const cumulative = bins => {
    const all = bins.counts.reduce((a, b) => a + b, 0), first = Charts.firstBin(bins), points = [];
    let sum = 0;
    if (bins.exact) points.push([Math.max(0, first - 1), 0]); else points.push([first * bins.width, 0]);
    for (let i = first; i < bins.counts.length; ++i) points.push([bins.exact ? i : (i + 1) * bins.width, (sum += bins.counts[i]) / all]);
    return points;
  };
  const shares = bins => {
    const all = bins.counts.reduce((a, b) => a + b, 0);
    return bins.counts.map((count, i) => [bins.exact ? i : (i + 0.5) * bins.width, count / all]).filter(point => point[1] > 0);
  };
  const unitOf = graph => graph.weighted ? "length" : "distance";

  const card = (parent, name, value, note, main) => {
    const box = html(parent, "div", {class: main ? "card main" : "card"});
    html(box, "dt", {}, name);
    html(box, "dd", {}, value);
    if (note) html(box, "dd", {class: "note"}, note);
  };

  const cards = (parent, graph) => {
    const box = html(parent, "dl", {class: "cards"}), {distances: d, diameter, eccentricities: e} = graph;
    card(box, "Vertices", number(graph.vertices), graph.components > 1 ? `${percent(graph.part.vertices / graph.vertices)} in ${partName(graph)}` : "");
    card(box, graph.directed ? "Arcs" : "Edges", number(graph.edges), graph.degrees.mean ? `${number(Number(graph.degrees.mean.toPrecision(4)))} a vertex on average` : "");
    card(box, graph.directed ? "Strong components" : "Components", number(graph.components), graph.components === 1 ? "every vertex reaches every other" : "");
    card(box, "Diameter", bounds(diameter), there(diameter) ? `${diameter.state === "exact" ? "exact" : "bounds"}, ${number(diameter.searches)} searches` : "undefined", true);
    card(box, "Radius", bounds(diameter.radius), there(diameter.radius) ? (diameter.radius.state === "exact" ? (e.central ? `exact; ${number(e.central)} central ${e.central === 1 ? "vertex" : "vertices"}` : "exact") : "bounds") : "undefined");
    card(box, "Mean distance", there(d) ? number(Number(d.mean.toPrecision(6))) : "–", there(d) ? (d.state === "exact" ? "exact" : d.error ? `± ${number(Number(d.error.toPrecision(2)))} (95 %), sampled` : "sampled") : d.state === "undefined" ? "undefined" : "not computed");
    card(box, "Effective diameter D90", there(d) && d.d90 !== null ? number(Number(d.d90.toPrecision(4))) : "–", there(d) ? (d.state === "exact" ? "90 % of pairs are this near" : "sampled") : "");
    card(box, "Time", seconds(graph.seconds), graph.engine[0] ? `engine ${graph.engine[0]}` : "");
  };

  const distanceFigures = (grid, graph) => {
    const d = graph.distances, unit = unitOf(graph);
    if (!there(d)) return absent(grid, "How far apart pairs are", d);
    const pairs = d.state === "exact" ? "ordered pairs" : "ordered pairs (estimated)";
    figure(grid, {id: "distances", title: "How far apart pairs are", section: d, log: "off",
      caption: `Ordered pairs of vertices by ${unit}. ${about(graph)}`,
      draw: (box, log) => Charts.bars(box, {title: "Pairs by distance", description: `Mean ${number(d.mean)}, median ${number(d.median)}, 90 % of the pairs within ${number(d.d90)}.`,
        bins: d.bins, log, what: pairs, unit, of: "pairs", marked: [{at: d.mean, label: `mean ${number(Number(d.mean.toPrecision(4)))}`}, {at: d.median, label: `median ${number(d.median)}`}, {at: d.d90, label: `D90 ${number(Number(d.d90.toPrecision(4)))}`}]}),
      numbers: () => [[unit, "pairs"], binRows(d.bins)]});
    const points = cumulative(d.bins);
    figure(grid, {id: "hops", title: "Pairs within a distance", section: d, caption: `The share of the pairs that are at most so far apart (hop plot). ${about(graph)}`,
      draw: box => Charts.curves(box, {title: "Hop plot", description: `Half of the pairs are within ${number(d.median)}, 90 % within ${number(d.d90)}.`, series: [{points, area: true}],
        x: {low: points[0][0], high: points[points.length - 1][0], whole: d.bins.exact, label: unit}, y: {low: 0, high: 1, ticks: percent}, marked: [{at: d.d90, label: `90 % at ${number(Number(d.d90.toPrecision(4)))}`}], dots: ([x, y]) => `within ${number(x)}: ${percent(y)} of the pairs`})});
  };

  const eccentricityFigure = (grid, graph) => {
    const e = graph.eccentricities;
    if (!there(e)) return absent(grid, "Eccentricities", e);
    const ends = e.state === "exact" ? `${number(e.central)} of them in the center, ${number(e.peripheral)} in the periphery.` : "Radius and diameter are beyond what a sample shows.";
    figure(grid, {id: "eccentricities", title: "Eccentricities", section: e, log: "off", caption: `Vertices by the distance to the vertex farthest from them; ${ends} ${about(graph)}`,
      draw: (box, log) => Charts.bars(box, {title: "Vertices by eccentricity", description: `From the radius ${bounds(graph.diameter.radius)} to the diameter ${bounds(graph.diameter)}.`, bins: e.bins, log, what: "vertices", unit: "eccentricity", of: "vertices"}),
      numbers: () => [["eccentricity", "vertices"], binRows(e.bins)]});
  };

  const report = (parent, graph) => {
    cards(parent, graph);
    html(parent, "h2", {}, "Distances");
    const grid = html(parent, "div", {class: "figures"});
    distanceFigures(grid, graph);
    eccentricityFigure(grid, graph);
  };

  const main = document.getElementById("content");
  main.replaceChildren();
  html(main, "p", {class: "kicker"}, "Antipode report");
  const baseName = name => name.startsWith("gen:") ? name : name.split("/").pop();
  html(main, "h1", {}, many ? `${data.graphs.length} graphs` : baseName(data.graphs[0].name));
  for (const graph of data.graphs) {
    if (many) html(main, "h2", {}, baseName(graph.name));
    report(main, graph);
  }
  document.documentElement.dataset.ready = "yes";
})();

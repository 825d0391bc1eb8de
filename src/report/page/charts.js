'use strict';
// The kinds of figures. Each draws into `parent` and has as many marks (class "mark") as there are
// data to show.
const Charts = (() => {
  const {svg, number, short, frame, titled, path} = Draw;

  // Bins are {width, exact, counts}: bin i counts what is from i × width on and below (i + 1) ×
  // width; `exact`: at i.
  const edges = (bins, i) =>
      bins.exact ? [i - 0.5, i + 0.5] : [i * bins.width, (i + 1) * bins.width];
  const binName = (bins, i) =>
      bins.exact ? number(i) : `${number(i * bins.width)} to below ${number((i + 1) * bins.width)}`;
  const firstBin = bins => Math.max(0, bins.counts.findIndex(count => count > 0));
  const span = (bins, from = firstBin(bins)) => (
      {low: edges(bins, from)[0], high: edges(bins, bins.counts.length - 1)[1], whole: bins.exact});

  // Where a bar is drawn: with a gap beside wide ones, and never as a block.
  const kWidest = 84;
  const slot = (plot, bins, i, widest = kWidest) => {
    const [from, to] = edges(bins, i).map(plot.across), width = Math.min(to - from, widest),
                 gap = width > 5 ? 1 : 0;
    return {x: (from + to - width) / 2 + gap / 2, width: Math.max(0.6, width - gap)};
  };
  const mark = (plot, tag, attributes, text) =>
      titled(svg(plot.marks, tag, {...attributes, class: `mark ${attributes.class}`}), text);

  // Lines across a figure, their names above it one below the other.
  const kMarker = 15;
  const markers = (plot, list) =>
      list.filter(({at}) => at !== null && at !== undefined)
          .sort((a, b) => a.at - b.at)
          .forEach(({at, label}, i) => {
            const x = plot.across(at), nearRight = x > plot.right - 90,
                  y = plot.top + kMarker * i - 12;
            svg(plot.root, 'line', {class: 'marker', x1: x, x2: x, y1: y, y2: plot.bottom});
            svg(plot.root, 'text', {
              class: 'marked',
              x: x + (nearRight ? -5 : 5),
              y: y + 10,
              'text-anchor': nearRight ? 'end' : 'start'
            },
                label);
          });

  const bars = (parent, {title, description, bins, log, what, unit, of, marked = []}) => {
    const counts = bins.counts, positive = counts.filter(count => count > 0);
    const most = Math.max(...positive), least = Math.min(...positive);
    const y = log ? {log, low: least / 2, high: most * 1.3} : {low: 0, high: most * 1.06};
    const plot = frame(parent, {
      title,
      description,
      headroom: Math.max(0, kMarker * marked.length - 8),
      x: {...span(bins), label: unit},
      y: {...y, label: of}
    });
    counts.forEach((count, i) => {
      if (!(count > 0)) return;
      const high = plot.up(count);
      mark(
          plot, 'rect', {
            class: 'bar',
            ...slot(plot, bins, i),
            y: high,
            height: Math.max(0.8, plot.bottom - high)
          },
          `${unit} ${binName(bins, i)}: ${number(count)} ${what}`);
    });
    markers(plot, marked);
  };

  // Bars on both sides of a middle line; a vertex alone is visible, too.
  const half = count => count > 0 ? Math.log10(count) + 0.25 : 0;
  const spindle = (parent, {title, description, bins, unit}) => {
    const plot = frame(
        parent, {title, description, width: 1140, height: 300, x: {...span(bins), label: unit}});
    const most = Math.max(...bins.counts), middle = (plot.top + plot.bottom) / 2 - 6,
          reach = (plot.bottom - plot.top) / 2 - 10;
    const high = count => half(count) / half(most) * reach;
    for (let power = 0; 10 ** power <= most; ++power) {
      for (const y of [middle - high(10 ** power), middle + high(10 ** power)])
        svg(plot.marks, 'line', {class: 'grid', x1: plot.left, x2: plot.right, y1: y, y2: y});
      svg(plot.marks, 'text',
          {x: plot.left - 7, y: middle - high(10 ** power) + 4, 'text-anchor': 'end'},
          short(10 ** power));
    }
    bins.counts.forEach((count, i) => {
      if (!(count > 0)) return;
      mark(
          plot, 'rect', {
            class: 'bar',
            ...slot(plot, bins, i, Infinity),
            y: middle - high(count),
            height: 2 * high(count),
            rx: 1
          },
          `${unit} ${binName(bins, i)}: ${number(count)} vertices`);
    });
  };

  // The path as dots [index, label, distance] above the sizes of the levels around its first end.
  const walk = (parent, {title, description, dots, bins, unit}) => {
    const last = dots[dots.length - 1][2], most = Math.max(...bins.counts, 1);
    const x = bins.exact ?
        {low: -0.5, high: Math.max(last, bins.counts.length - 1) + 0.5, whole: true} :
        {low: 0, high: Math.max(last, bins.counts.length * bins.width)};
    const plot = frame(parent, {
      title,
      description,
      width: 1140,
      height: 320,
      top: 92,
      x: {...x, label: unit},
      y: {
        log: true,
        low: 0.5,
        high: most * 1.3,
        label: 'vertices at that distance from the first end'
      }
    });
    bins.counts.forEach((count, i) => {
      if (!(count > 0)) return;
      const high = plot.up(count);
      mark(
          plot, 'rect', {class: 'bar', ...slot(plot, bins, i), y: high, height: plot.bottom - high},
          `${unit} ${binName(bins, i)} from ${dots[0][1]}: ${number(count)} vertices`);
    });
    const y = 58;
    svg(plot.root, 'line',
        {class: 'line s1 solid', x1: plot.across(dots[0][2]), x2: plot.across(last), y1: y, y2: y});
    dots.forEach(
        ([index, label, distance]) => titled(
            svg(plot.root, 'circle', {
              class: 'dot stop f1',
              cx: plot.across(distance),
              cy: y,
              r: dots.length > 60 ? 2.5 : 4
            }),
            `${label}, at ${number(distance)} (vertex ${number(index)} of the path)`));
    const named =
        dots.length > 2 ? [0, Math.floor(dots.length / 2), dots.length - 1] : dots.map((_, i) => i);
    named.forEach(i => {
      const anchor = i === 0 ? 'start' : i === dots.length - 1 ? 'end' : 'middle';
      svg(plot.root, 'text', {
        class: 'strong',
        x: plot.across(dots[i][2]) +
            (anchor === 'start'   ? -4 :
                 anchor === 'end' ? 4 :
                                    0),
        y: y - 12,
        'text-anchor': anchor
      },
          dots[i][1]);
    });
  };

  // Lines through points [x, y]; series have a name each.
  const curves = (parent, {title, description, series, x, y, marked = [], dots}) => {
    const plot = frame(
        parent, {title, description, headroom: Math.max(0, kMarker * marked.length - 8), x, y});
    series.forEach(({name, points, area}, i) => {
      if (!points.length) return;
      const places = points.map(([a, b]) => [plot.across(a), plot.up(b)]), style = i % 6;
      if (area)
        svg(plot.marks, 'path', {
          class: 'band',
          d: `${path(places)}L${places[places.length - 1][0]} ${plot.bottom}L${places[0][0]} ${
              plot.bottom}Z`
        });
      svg(plot.marks, 'path', {class: `line s${style}`, d: path(places)});
      if (dots)
        places.forEach(
            ([cx, cy], j) => mark(
                plot, 'circle', {class: `dot f${style}`, cx, cy, r: places.length > 60 ? 1.6 : 2.6},
                dots(points[j], name)));
    });
    markers(plot, marked);
  };

  // Points (value, share of all with at least it) on two logarithmic scales.
  const tail = (parent, {title, description, series, what, label}) => {
    const all = series.flatMap(each => each.points);
    const plot = frame(parent, {
      title,
      description,
      x: {
        log: true,
        low: Math.min(...all.map(p => p[0])),
        high: Math.max(...all.map(p => p[0]), 2),
        label
      },
      y: {
        log: true,
        low: Math.min(...all.map(p => p[1])) / 1.5,
        high: 1,
        label: `share of ${what} with at least so many`
      }
    });
    series.forEach(
        ({points}, i) => points.forEach(
            ([value, share]) => mark(
                plot, 'circle',
                {class: `dot f${i % 6}`, cx: plot.across(value), cy: plot.up(share), r: 2.6},
                `at least ${number(value)}: ${number(share * 100)} % of ${what}`)));
  };

  // Bounds after each search: [searches, lower, upper].
  const closing = (parent, {title, description, trace}) => {
    const searches = trace[trace.length - 1][0], uppers = trace.map(step => step[2]),
          final = trace[trace.length - 1];
    const low = Math.max(
              1e-9, Math.min(...trace.map(step => step[1]).filter(v => v > 0), final[2] || 1)),
          high = Math.max(...uppers, low);
    const log = high > 8 * low;
    const plot = frame(parent, {
      title,
      description,
      x: searches > 40 ?
          {log: true, low: Math.max(1, trace[0][0]), high: searches, label: 'searches'} :
          {
            low: Math.min(trace[0][0], searches - 1),
            high: searches,
            whole: true,
            label: 'searches'
          },
      y: {
        log,
        low: log ? low / 1.3 : Math.max(0, low - 0.6 * (high - low) - 1),
        high: log ? high * 1.2 : high + 1
      }
    });
    const stairs = which => trace.flatMap(
        (step, i) => (i ? [[plot.across(step[0]), plot.up(trace[i - 1][which])]] : []).concat([
          [plot.across(step[0]), plot.up(step[which])]
        ]));
    const under = stairs(1), over = stairs(2);
    svg(plot.marks, 'path', {
      class: 'band',
      d: `${path(over)}L${[...under].reverse().map(([a, b]) => `${a} ${b}`).join('L')}Z`
    });
    svg(plot.marks, 'path', {class: 'line s1 solid', d: path(over)});
    svg(plot.marks, 'path', {class: 'line s0', d: path(under)});
    for (const step of trace)
      for (const which of [2, 1])
        mark(
            plot, 'circle', {
              class: `dot ${which === 1 ? 'f0' : 'f1'}`,
              cx: plot.across(step[0]),
              cy: plot.up(step[which]),
              r: trace.length > 60 ? 1.8 : 3
            },
            `after ${number(step[0])} searches: at ${which === 1 ? 'least' : 'most'} ${
                number(step[which])}`);
  };

  return {bars, spindle, walk, curves, tail, closing, binName, firstBin, edges};
})();

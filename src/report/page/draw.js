'use strict';
// Figures in SVG: elements, scales, axes. A figure is a picture with a title and a description; its
// marks have titles of their own.
const Draw = (() => {
  const NAMESPACE = 'http://www.w3.org/2000/svg';
  let figures = 0;

  const fill = (element, attributes, text) => {
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const html = (parent, tag, attributes, text) =>
      parent.appendChild(fill(document.createElement(tag), attributes, text));
  const svg = (parent, tag, attributes, text) =>
      parent.appendChild(fill(document.createElementNS(NAMESPACE, tag), attributes, text));

  const number = value => {
    if (value === null || value === undefined) return '–';
    if (value === 0) return '0';
    const size = Math.abs(value);
    if (Number.isInteger(value) && size < 1e15) return value.toLocaleString('en-US');
    if (size >= 1e12 || size < 1e-4) return value.toExponential(2).replace('e+', 'e');
    return value.toLocaleString(
        'en-US',
        {maximumFractionDigits: size >= 1000 ? 1 :
             size >= 1                       ? 3 :
                                               6});
  };
  const short = value => {
    const size = Math.abs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-3)) return value.toExponential(0).replace('e+', 'e');
    for (const [unit, letter] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e4, 'k']])
      if (size >= unit)
        return Number((value / (letter === 'k' ? 1e3 : unit)).toPrecision(3)) + letter;
    return Number(value.toPrecision(4)).toLocaleString('en-US');
  };

  // A scale maps values to places and knows where its ticks are.
  const linear = (low, high, from, to, most = 6) => {
    const span = high - low || 1, rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(x => x * power).find(x => x >= rough);
    const scale = value => from + (value - low) / span * (to - from);
    scale.ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
      scale.ticks.push(Number((i * step).toPrecision(12)));
    return scale;
  };
  const logarithmic = (low, high, from, to, most = 6) => {
    const bottom = Math.log10(low), span = Math.log10(high) - bottom || 1;
    const scale = value => from + (Math.log10(Math.max(value, low)) - bottom) / span * (to - from);
    const step = Math.max(1, Math.ceil(span / most));
    scale.ticks = [];
    for (let i = Math.ceil(bottom - 1e-9); i <= bottom + span + 1e-9; i += step)
      scale.ticks.push(Number((10 ** i).toPrecision(12)));
    if (scale.ticks.length < 2)
      scale.ticks = [1, 2, 5, 10, 20, 50]
                        .map(x => Number((x * 10 ** Math.floor(bottom)).toPrecision(12)))
                        .filter(x => x >= low * 0.999 && x <= high * 1.001);
    return scale;
  };

  // A frame with axes; `x` and `y` are {low, high, log, label, ticks: function that formats}.
  const frame = (parent, {
    title,
    description,
    width = 560,
    height = 290,
    left = 58,
    right = 14,
    top = 24,
    headroom = 0,
    x,
    y
  }) => {
    const root = svg(parent, 'svg', {
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-labelledby': `t${++figures} d${figures}`
    });
    svg(root, 'title', {id: `t${figures}`}, title);
    svg(root, 'desc', {id: `d${figures}`}, description);
    const bottom = height - 42;
    const scale = (axis, from, to, most) =>
        (axis.log ? logarithmic : linear)(axis.low, axis.high, from, to, most);
    const across = scale(x, left, width - right, Math.max(3, Math.floor(width / 80)));
    const up = y && scale(y, bottom, top + headroom, 5);
    if (y) {
      for (const tick of up.ticks) {
        svg(root, 'line', {class: 'grid', x1: left, x2: width - right, y1: up(tick), y2: up(tick)});
        svg(root, 'text', {x: left - 7, y: up(tick) + 4, 'text-anchor': 'end'},
            (y.ticks || short)(tick));
      }
      if (y.label) svg(root, 'text', {x: 2, y: 12}, y.label);
    }
    svg(root, 'line', {class: 'axis', x1: left, x2: width - right, y1: bottom, y2: bottom});
    for (const tick of across.ticks.filter(each => !x.whole || Number.isInteger(each))) {
      svg(root, 'line',
          {class: 'axis', x1: across(tick), x2: across(tick), y1: bottom, y2: bottom + 4});
      svg(root, 'text', {x: across(tick), y: bottom + 17, 'text-anchor': 'middle'},
          (x.ticks || short)(tick));
    }
    if (x.label)
      svg(root, 'text', {x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle'},
          x.label);
    return {root, across, up, bottom, top, left, right: width - right, marks: svg(root, 'g', {})};
  };

  const titled = (element, text) => {
    svg(element, 'title', {}, text);
    return element;
  };
  const path = points =>
      points.map(([x, y], i) => (i ? 'L' : 'M') + x.toFixed(1) + ' ' + y.toFixed(1)).join('');

  return {html, svg, number, short, frame, titled, path};
})();

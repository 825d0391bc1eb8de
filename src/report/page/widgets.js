'use strict';
// What sections are made of: tables that sort, figures with a badge, a switch and their numbers,
// cards.
const Widgets = (() => {
  const {html, number} = Draw;

  const percent = share =>
      share >= 0.1 ? `${Math.round(share * 100)} %` : `${Number((share * 100).toPrecision(2))} %`;
  const seconds = time => time < 0.001 ? `${Math.round(time * 1e6)} µs` :
      time < 1 ? `${Number((time * 1e3).toPrecision(3))} ms` :
                 `${Number(time.toPrecision(3))} s`;
  const digits = (value, count) => number(Number(value.toPrecision(count)));
  const plural = (count, one, more = `${one}s`) => `${number(count)} ${count === 1 ? one : more}`;

  // A section's figures are there, or the reason why not is.
  const there = section =>
      Boolean(section) && section.state !== 'missing' && section.state !== 'undefined';
  const state = section => section.state === 'exact' ?
      ['exact', 'exact'] :
      section.state === 'sample' ?
      ['', `sample: ${number(section.sources)} of ${number(section.of)}`] :
      section.state === 'bounds' ?
      ['', 'bounds only'] :
      ['', section.state === 'undefined' ? 'undefined' : 'not computed'];
  const badge = (parent, section) => {
    const [kind, text] = state(section);
    return html(parent, 'span', {class: `badge ${kind}`}, text);
  };

  // Rows of numbers, texts and nulls; a head that begins with "!" is of text. Sortable: by any
  // column, from its head.
  const order = (rows, column, up) => rows.sort((a, b) => {
    const [x, y] = [a[column], b[column]];
    if (x === null || y === null) return (x === null) - (y === null);
    return (typeof x === 'string' ? x.localeCompare(y, 'en', {numeric: true}) : x - y) *
        (up ? 1 : -1);
  });
  const table = (parent, heads, rows, {sorted, caption} = {}) => {
    const element = html(html(parent, 'div', {class: 'scroll'}), 'table', {});
    if (caption) html(element, 'caption', {}, caption);
    const line = html(html(element, 'thead', {}), 'tr', {}), body = html(element, 'tbody', {});
    const isText = heads.map(head => head.startsWith('!'));
    const write = () => {
      body.replaceChildren();
      for (const row of rows) {
        const tr = html(body, 'tr', {});
        row.forEach(
            (cell, i) => html(
                tr, 'td', isText[i] ? {class: 'text'} : {},
                typeof cell === 'number' ? number(cell) :
                    cell === null        ? '–' :
                                           cell));
      }
    };
    heads.forEach((head, i) => {
      const name = head.replace('!', ''),
            th = html(
                line, 'th', {scope: 'col', ...(isText[i] ? {class: 'text'} : {})},
                sorted === undefined ? name : undefined);
      if (sorted === undefined) return;
      html(th, 'button', {type: 'button'}, name).addEventListener('click', () => {
        const before = th.getAttribute('aria-sort'),
              up = before ? before === 'descending' : isText[i] || name.startsWith('rank');
        for (const other of line.children) other.removeAttribute('aria-sort');
        th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        order(rows, i, up);
        write();
      });
      if (i === sorted) {
        th.setAttribute('aria-sort', 'ascending');
        order(rows, i, true);
      }
    });
    write();
    return element;
  };

  const box = (parent, title, section, {id, wide} = {}) => {
    const element = html(
              parent, 'figure',
              {class: wide ? 'figure wide' : 'figure', ...(id ? {'data-figure': id} : {})}),
          top = html(element, 'div', {class: 'top'});
    html(top, 'h3', {}, title);
    if (section) badge(top, section);
    return [element, top];
  };
  const absent = (parent, title, section) => {
    const [element] = box(parent, title, section);
    html(
        element, 'figcaption', {},
        section.why ? `Not computed: ${section.why}.` : 'There is nothing to measure.');
  };
  // `draw` gets the place and whether counts are logarithmic; `numbers` returns heads and rows for
  // a table that is made when it is opened.
  const figure = (parent, {id, title, section, wide, caption, draw, log, numbers}) => {
    const [element, top] = box(parent, title, section, {id, wide}),
                    picture = html(element, 'div', {class: 'picture'});
    let logarithmic = log === 'on';
    const redraw = () => {
      picture.replaceChildren();
      draw(picture, logarithmic);
    };
    if (log) {
      const button = html(
          top, 'button',
          {type: 'button', class: 'switch', role: 'switch', 'aria-checked': logarithmic});
      html(button, 'i', {'aria-hidden': 'true'});
      html(button, 'span', {}, 'log scale');
      button.addEventListener('click', () => {
        logarithmic = !logarithmic;
        button.setAttribute('aria-checked', logarithmic);
        redraw();
      });
    }
    redraw();
    html(element, 'figcaption', {}, caption);
    if (numbers) {
      const details = html(element, 'details', {});
      html(details, 'summary', {}, 'Numbers');
      details.addEventListener('toggle', () => {
        if (details.open && details.children.length === 1) table(details, ...numbers());
      });
    }
    return element;
  };

  const card = (parent, name, value, note, main) => {
    const element = html(parent, 'div', {class: main ? 'card main' : 'card'});
    html(element, 'dt', {}, name);
    html(element, 'dd', {}, value);
    if (note) html(element, 'dd', {class: 'note'}, note);
  };
  const facts = (parent, list) => {
    const element = html(parent, 'dl', {class: 'facts'});
    for (const [name, value] of list.filter(each => each[1])) {
      html(element, 'dt', {}, name);
      html(element, 'dd', {}, value);
    }
  };

  return {percent, seconds, digits, plural, there, badge, table, box, absent, figure, card, facts};
})();

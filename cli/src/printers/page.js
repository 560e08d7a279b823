'use strict';
// Without scripts a browser shows what is in the noscript element: every link, file by file. With scripts
// it takes that for one text, in which each line is a link, the name of a file, or what is said
// of the file. This script shows the lines page by page. All of it is escaped already.
const PAGE = 200;
const get = id => document.getElementById(id);
const source = document.querySelector('noscript'), list = get('list'), tools = get('tools');
const box = get('filter'), sort = get('sort'), warned = get('warned');

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = text => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]);
const plain = html => decoded(html.replace(/<[^>]*>/g, ''));
const escaped = text => text.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);

// Links, the file that each is in, and files; then what is known of links once it is asked for.
const rows = [], fileOf = [], files = [];
const texts = [], hosts = [], schemes = [];
// What is wanted: hosts, schemes and warnings that were clicked.
const picked = { Hosts: null, Schemes: null, Warnings: null };
// Indices of the links that are wanted, in order; ~i is the file i, which has none.
let order = [], page = 0;

function read() {
  for (const line of source.textContent.split('\n')) {
    if (line.startsWith('<li ')) {
      rows.push(line);
      fileOf.push(files.length - 1);
      files[files.length - 1].links += 1;
    } else if (line.startsWith('<h2>')) {
      files.push({ head: line, about: '', name: plain(line), links: 0 });
    } else if (line.startsWith('<p class=soft>')) {
      files[files.length - 1].about = line;
    }
  }
}

// The value of an attribute of ours.
const told = (row, name) => {
  const found = row.slice(0, row.indexOf('>')).match(`${name}="([^"]*)"`);
  return found && decoded(found[1]);
};

const hostOf = i => hosts[i] ??= (() => {
  const host = decoded(rows[i].match(/<b>(.*?)<\/b>/)?.[1] ?? '');
  return host.toLowerCase() || '(none)';
})();

const schemeOf = i => schemes[i] ??= (() => {
  const scheme = told(rows[i], 'data-s') ?? plain(rows[i].match(/<a[ >].*?<\/a>/)?.[0] ?? '')
    .match(/^([a-z][a-z0-9+.-]*):/i)?.[1].toLowerCase();
  return scheme || '(none)';
})();

const textOf = i => texts[i] ??= `${plain(rows[i])}\n${files[fileOf[i]].name}`.toLowerCase();

function choose() {
  const wanted = box.value.toLowerCase();
  const warning = picked.Warnings && `<em>${escaped(picked.Warnings)}</em>`;
  const any = wanted || warned.checked || Object.values(picked).some(value => value !== null);
  const fits = i => (!warned.checked || rows[i].includes('<em>'))
    && (!warning || rows[i].includes(warning))
    && (picked.Hosts === null || hostOf(i) === picked.Hosts)
    && (picked.Schemes === null || schemeOf(i) === picked.Schemes)
    && (!wanted || textOf(i).includes(wanted));
  order = [];
  let file = 0;
  const empty = end => {
    for (; file < end; file += 1) if (!any && !sort.value && !files[file].links) order.push(~file);
  };
  for (let i = 0; i < rows.length; i += 1) {
    empty(fileOf[i]);
    if (!any || fits(i)) order.push(i);
  }
  empty(files.length);
  const keyOf = { host: hostOf, scheme: schemeOf }[sort.value];
  if (keyOf) order.sort((a, b) => keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a - b);
  const hits = order.filter(i => i >= 0).length;
  const all = `${rows.length.toLocaleString('en')} link${rows.length === 1 ? '' : 's'}`;
  get('hits').textContent = any ? `${hits.toLocaleString('en')} of ${all}` : all;
  get('clear').hidden = !any;
  for (const row of document.querySelectorAll('tr.pick')) {
    const pressed = picked[row.dataset.chart] === row.dataset.key;
    row.classList.toggle('here', pressed);
    row.querySelector('button').setAttribute('aria-pressed', pressed);
  }
  show(0);
}

function show(number) {
  const last = Math.max(0, Math.ceil(order.length / PAGE) - 1);
  page = Math.min(Math.max(number, 0), last);
  render(order.slice(page * PAGE, (page + 1) * PAGE));
  for (const pages of document.querySelectorAll('.pages')) {
    pages.hidden = last === 0;
    pages.querySelector('span').textContent = ` page ${page + 1} of ${last + 1} `;
    for (const button of pages.querySelectorAll('button')) {
      button.disabled = page === (['first', 'previous'].includes(button.value) ? 0 : last);
    }
  }
}

function render(items) {
  const keyOf = { host: hostOf, scheme: schemeOf }[sort.value];
  let html = '', group = null;
  for (const item of items) {
    const file = item < 0 ? ~item : fileOf[item];
    const key = keyOf ? keyOf(item) : file;
    if (key !== group) {
      html += group === null ? '' : '</ol></section>';
      html += '<section class=file>';
      html += keyOf ? `<h2><bdi>${escaped(key)}</bdi></h2>` : files[file].head + files[file].about;
      html += '<ol>';
      group = key;
    }
    if (item >= 0) html += rows[item];
  }
  list.innerHTML = html;
  for (const link of list.querySelectorAll('li')) {
    // The number of its line leads to it.
    const line = link.querySelector('i'), self = document.createElement('a');
    self.className = 'self';
    self.href = `#${link.id}`;
    self.title = 'a link to this place of the report';
    line.replaceWith(self);
    self.append(line);
    if (keyOf && files.length > 1) line.prepend(`${files[fileOf[link.id.slice(1) - 1]].name}:`);
    for (const name of link.querySelectorAll('em')) name.title = words.get(name.textContent) ?? '';
  }
}

// Shows the link that the address names, whatever is filtered.
function jump() {
  const number = Number(location.hash.match(/^#l([1-9][0-9]*)$/)?.[1] ?? 0);
  if (number < 1 || number > rows.length) return;
  let at = order.indexOf(number - 1);
  if (at < 0) {
    clear();
    at = order.indexOf(number - 1);
  }
  show(Math.floor(at / PAGE));
  const link = get(`l${number}`);
  link.classList.add('here');
  link.scrollIntoView({ block: 'center' });
}

function clear() {
  box.value = '';
  warned.checked = false;
  for (const chart of Object.keys(picked)) picked[chart] = null;
  choose();
}

function turn(event) {
  const last = Math.ceil(order.length / PAGE) - 1;
  show({ first: 0, previous: page - 1, next: page + 1, last }[event.target.value]);
  if (list.getBoundingClientRect().top < 0) list.scrollIntoView();
}

// Warnings in words, from the chart.
const words = new Map();

function prepare() {
  for (const chart of document.querySelectorAll('.charts section')) {
    const title = chart.querySelector('h2').textContent;
    for (const row of chart.querySelectorAll('tbody tr')) {
      const name = row.querySelector('bdi');
      const key = row.dataset.key ?? name.textContent;
      words.set(key, row.querySelector('small')?.textContent);
      if (key === '(others)') continue;
      const button = document.createElement('button');
      button.type = 'button';
      button.title = 'show only these';
      name.replaceWith(button);
      button.append(name);
      row.className = 'pick';
      row.dataset.key = key;
      row.dataset.chart = title;
      // A click on the button comes here too.
      row.addEventListener('click', () => {
        picked[title] = picked[title] === key ? null : key;
        choose();
      });
    }
  }
  let waiting;
  box.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(choose, 100);
  });
  sort.addEventListener('change', choose);
  warned.addEventListener('change', choose);
  get('clear').addEventListener('click', clear);
  for (const button of document.querySelectorAll('.pages button')) {
    button.addEventListener('click', turn);
  }
  addEventListener('hashchange', jump);
  // On paper there are no buttons: all links that are wanted.
  addEventListener('beforeprint', () => render(order));
  addEventListener('afterprint', () => show(page));
}

try {
  read();
  prepare();
  // A browser fills in what was chosen before the page was loaded again.
  box.value = sort.value = '';
  warned.checked = false;
  tools.hidden = false;
  choose();
  jump();
} catch (error) {
  // As without scripts.
  tools.hidden = true;
  list.innerHTML = source.textContent;
  throw error;
}

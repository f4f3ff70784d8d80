// Elements, numbers, and values of a heap. Text only ever becomes text: nothing here parses HTML.

export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (value !== false && value !== undefined) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children.flat());
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat());
  return element;
}

// For this tab and this port: a reload finds it, other sites and servers do not.
export const remember = (token) => sessionStorage.setItem('token', token);

export const request = (what, options = {}) =>
  fetch(`/api/${what}`, {...options, headers: {Authorization: `Bearer ${sessionStorage.getItem('token') ?? ''}`}});

export async function ask(what, parameters = {}, method = 'GET') {
  const query = new URLSearchParams(parameters);
  const response = await request(`${what}${query.size ? `?${query}` : ''}`, {method});
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

export const count = (number) => Number(number).toLocaleString('en');

export function bytes(number) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let value = Number(number);
  for (; Math.abs(value) >= 1023.95 && unit < units.length - 1; unit++) value /= 1024;
  return `${unit ? value.toFixed(1) : value} ${units[unit]}`;
}

export function failure(error) {
  return el('div', {class: 'card banner bad', role: 'alert'}, visible(error.message));
}

export function table(heads, rows) {
  const cell = (tag, content, at) =>
    el(tag, {class: heads[at].startsWith('#') ? 'number' : '', scope: tag === 'th' ? 'col' : false}, content);
  return el('table', {},
    el('thead', {}, el('tr', {}, heads.map((head, at) => cell('th', head.replace('#', ''), at)))),
    el('tbody', {}, rows.map((row) => el('tr', {}, row.map((content, at) => cell('td', content, at))))));
}

// What a reader does not see, or what changes the direction of text, is shown as its code.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/u;

export function visible(text) {
  const parts = el('span', {dir: 'ltr'});
  let plain = '';
  for (const character of text) {
    if (HIDDEN.test(character)) {
      parts.append(plain);
      plain = '';
      const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
      parts.append(el('span', {class: 'mark'}, `U+${code}`));
    } else {
      plain += character;
    }
  }
  parts.append(plain);
  return parts;
}

// A value as the server writes it: [kind, what is shown, handle, length].
export function valueOf(node, follow) {
  return el('div', {class: 'value'}, part(node, follow));
}

function part([kind, shown, id, length], follow) {
  switch (kind) {
    case 'null':
      return el('span', {class: 'name'}, 'null');
    case 'object':
    case 'structure':
      return el('button', {class: 'link', on: {click: () => follow(kind, id, shown)}}, visible(shown));
    case 'stale':
      return el('span', {class: 'bad'}, visible(shown), ' was freed');
    case 'fields':
      return el('ul', {}, shown.map(([name, value]) =>
        el('li', {}, el('span', {class: 'name'}, part(name, follow), ' '), part(value, follow))), more(id));
    case 'list':
      return shown.length ? el('ul', {}, shown.map((value) => el('li', {}, part(value, follow))), more(id))
        : el('span', {class: 'name'}, 'empty');
    default:
      return el('span', {class: kind}, visible(shown), id ? whole(id, length) : '');
  }
}

function more(left) {
  return left > 0 ? el('li', {class: 'name'}, `and ${count(left)} more`) : '';
}

// All of a long text is shown as plain text in a box: a million marks would be too much for a page.
function whole(id, length) {
  const button = el('button', {on: {click: async () => {
    try {
      const {text} = await ask('text', {id});
      const clean = text.replace(new RegExp(HIDDEN, 'gu'), (c) => (c === '\n' ? c : '\uFFFD'));
      button.replaceWith(el('div', {class: 'whole', tabindex: '0', role: 'region', 'aria-label': 'All of the text'}, clean));
    } catch (error) {
      button.replaceWith(failure(error));
    }
  }}}, `show all ${count(length)} characters`);
  return [el('span', {class: 'name'}, '… '), button];
}

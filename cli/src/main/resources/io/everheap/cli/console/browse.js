// Entries of roots and of structures in them, and objects by following references.
import {ask, count, el, failure, table, valueOf, visible} from './ui.js';

const LIMIT = 50;

export async function browse(view, {argument}) {
  const trail = [];
  const {roots = [], state} = await ask('overview');
  if (state !== 'open') {
    view.append(el('h1', {}, 'Entries'), el('div', {class: 'card banner'},
      state === 'in use' ? 'Entries are shown when the other process has closed the heap.' : 'The heap cannot be opened.'));
    return;
  }
  const root = (name) => open({kind: 'root', of: `root:${name}`, name});

  function list() {
    trail.length = 0;
    view.replaceChildren(el('h1', {}, 'Entries'), el('div', {class: 'card'},
      table(['Root', 'Kind', '#Entries'], roots.map(({name, kind, size}) => [
        el('button', {class: 'link', on: {click: () => root(name)}}, visible(name)), kind, count(size)]))));
  }

  function open(step) {
    trail.push(step);
    return draw();
  }

  function back(to) {
    trail.length = to + 1;
    return draw();
  }

  const follow = (kind, of, name) => open({kind, of, name});

  async function draw() {
    const step = trail.at(-1);
    const content = el('div');
    const path = el('div', {class: 'trail'}, el('button', {class: 'link', on: {click: list}}, 'Roots'),
      trail.slice(0, -1).map(({name}, at) => ['›', el('button', {class: 'link', on: {click: () => back(at)}}, visible(short(name)))]).flat());
    view.replaceChildren(path, el('h1', {}, visible(short(step.name))), content);
    try {
      await (step.kind === 'object' ? object(step, content) : entries(step, content));
    } catch (error) {
      content.append(failure(error));
    }
  }

  async function object(step, content) {
    const {stale, entries: fields} = await ask('object', {id: step.of});
    content.append(el('div', {class: 'card'}, stale
      ? el('span', {class: 'bad'}, 'This object was freed.')
      : table(['Field', 'Value'], fields.map(({key, value}) => [valueOf(key, follow), valueOf(value, follow)]))));
  }

  async function entries(step, content, from, offset = 0) {
    const page = await ask('entries', {of: step.of, offset, limit: LIMIT, ...(from === undefined ? {} : {from})});
    const again = (...to) => entries(step, content, ...to).catch((error) => content.append(failure(error)));
    const status = el('span', {class: 'note', role: 'status'}, page.entries.length
      ? `${count(offset + 1)} to ${count(offset + page.entries.length)}${from === undefined ? ` of ${count(page.size)}` : ' from that key on'}`
      : 'no entries');
    const last = Math.max(0, Math.floor((page.size - 1) / LIMIT) * LIMIT);
    const turn = (label, to, enabled) => el('button', {disabled: !enabled, on: {click: () => again(from, to)}}, label);
    const rows = el('div', {class: 'card', 'data-offset': offset}, lines(page));
    content.replaceChildren(page.searched ? search(step, content, page, rows, again) : '',
      el('div', {class: 'bar'},
        turn('First', 0, offset > 0), turn('Previous', Math.max(0, offset - LIMIT), offset > 0),
        turn('Next', offset + page.entries.length, page.more), from === undefined ? turn('Last', last, page.more) : '', status), rows);
  }

  function search(step, content, page, rows, again) {
    const key = el('input', {type: 'search', 'aria-label': 'Key', placeholder: page.kind === 'list' ? 'position' : 'key', spellcheck: 'false'});
    const find = async () => {
      try {
        const found = await ask('find', {of: step.of, key: key.value});
        rows.replaceChildren(found.entries.length ? lines(found) : el('span', {role: 'status'}, 'There is no such entry.'));
      } catch (error) {
        rows.replaceChildren(failure(error));
      }
    };
    const form = el('form', {class: 'bar', role: 'search', on: {submit: (event) => {
      event.preventDefault();
      find();
    }}}, key, el('button', {class: 'primary'}, 'Find'));
    if (page.sorted) form.append(el('button', {type: 'button', on: {click: () => again(key.value)}}, 'From this key on'));
    form.append(el('button', {type: 'button', on: {click: () => again()}}, 'All'));
    return form;
  }

  const lines = (page) => (page.kind.endsWith('set')
    ? table(['Element'], page.entries.map(({key, value}) => [valueOf(key[0] === 'null' ? value : key, follow)]))
    : table([page.kind.endsWith('map') ? 'Key' : 'Position', 'Value'], page.entries.map(({key, value}) => [valueOf(key, follow), valueOf(value, follow)])));

  if (argument !== undefined) await root(argument);
  else list();
}

const short = (name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name);

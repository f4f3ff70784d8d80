// What the heap is, or why it cannot be opened.
import {ask, bytes, count, el, table, visible} from './ui.js';

const figure = (label, value, note = '') =>
  el('div', {class: 'card'}, el('div', {class: 'label'}, label), el('div', {class: 'figure'}, value), el('div', {class: 'note'}, note));

export async function overview(view, {show}) {
  const heap = await ask('overview');
  view.append(el('h1', {}, 'Overview'));
  if (heap.state === 'in use') {
    view.append(el('div', {class: 'card banner'}, el('h2', {}, 'Another process has this heap open'),
      'The console reads only the file of counters and does not disturb that process. Entries are shown when it has closed the heap. ',
      el('p', {}, el('button', {class: 'primary', on: {click: () => show('live')}}, 'What it does now'))));
    return;
  }
  if (heap.state === 'damaged') {
    view.append(broken('This heap cannot be opened', heap.failure, show));
    return;
  }
  if (heap.failure) view.append(broken('The list of roots is damaged', heap.failure, show));
  view.append(el('div', {class: 'cards'},
    figure('In use', bytes(heap.used), `of ${bytes(heap.capacity)}, may grow to ${bytes(heap.maxSize)}`),
    figure('Blocks', count(heap.blocks), `in ${heap.sizeClasses.length} sizes`),
    figure('Log since the checkpoint', bytes(heap.endLsn - heap.checkpointLsn), `ends at ${count(heap.endLsn)}, epoch ${count(heap.epoch)}`),
    heap.clean
      ? figure('State', el('span', {class: 'good'}, 'closed'), 'no recovery was needed')
      : figure('State', el('span', {class: 'warn'}, 'was not closed'),
        `${count(heap.replayed)} transactions (${bytes(heap.replayedBytes)}) of the log are replayed`
        + (heap.tornBytes ? `; an unfinished record of ${bytes(heap.tornBytes)} is dropped` : ''))));
  view.append(el('div', {class: 'card'}, el('h2', {}, 'Roots'),
    heap.roots.length
      ? table(['Name', 'Kind', '#Entries', 'Types'], heap.roots.map((root) => [
        el('button', {class: 'link', on: {click: () => show('browse', root.name)}}, visible(root.name)),
        root.kind, count(root.size), el('span', {class: 'value'}, visible(cut(root.types)))]))
      : 'No roots.'));
  view.append(el('div', {class: 'card'}, el('h2', {}, 'Blocks by size'),
    table(['Block size', '#Blocks', '#Used', '#Reserved', '#Fill'], heap.sizeClasses.map((c) => [
      c.name, count(c.blocks), bytes(c.used), bytes(c.reserved), `${Math.round(100 * c.used / c.reserved)} %`]))));
  if (heap.types.length) {
    view.append(el('div', {class: 'card'}, el('h2', {}, 'Types of objects'),
      table(['Type', 'Fields'], heap.types.map((type) => [
        el('span', {}, visible(type.name), type.newest ? '' : ' (an older version)'),
        el('span', {class: 'value'}, visible(type.fields.join(', ')))]))));
  }
  view.append(el('p', {class: 'note'}, `${heap.id} · created ${heap.created} · format ${heap.formatVersion} · ${heap.medium}`));
}

const cut = (text) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

function broken(title, failure, show) {
  if (failure.includes('EH-ENCRYPTION')) {
    return el('div', {class: 'card banner bad'}, el('h2', {class: 'bad'}, title), el('p', {}, visible(failure)),
      el('p', {}, 'What to do: end the console, and start it with the key: ', el('code', {}, 'everheap console DIR --key SOURCE'), '.'));
  }
  return el('div', {class: 'card banner bad'}, el('h2', {class: 'bad'}, title), el('p', {}, visible(failure)),
    el('p', {}, 'What to do: copy the directory before anything else. ',
      'Verify shows what is damaged. A backup is restored with ', el('code', {}, 'everheap restore'),
      '; without one, ', el('code', {}, 'everheap salvage DIR --to DIR2'), ' saves what can be read.'),
    el('button', {class: 'primary', on: {click: () => show('verify')}}, 'Verify'));
}

// The heap map: a cell for each chunk, as full as it is.
import {ask, bytes, count, el, svg} from './ui.js';

const SIZE = 16;
const CELLS = 4096; // on one page

// The larger the blocks, the greener: below 64 B, 512 B and 2 KiB, and above.
const shade = (block) => [64, 512, 2048].filter((limit) => block >= limit).length;

export async function space(view, {argument: first = 0, show}) {
  const {chunks, chunkBytes} = await ask('chunks');
  view.append(el('h1', {}, 'Heap map'));
  const kinds = {free: 'free', slots: 'blocks of one size', pages: 'runs of pages', large: 'large blocks', metadata: 'tables', retired: 'retired', damaged: 'damaged'};
  const part = chunks.slice(first, first + CELLS);
  const columns = Math.max(16, Math.min(64, Math.ceil(Math.sqrt(part.length * 3))));
  const rows = Math.ceil(part.length / columns);
  const grid = svg('svg', {class: 'grid', viewBox: `0 0 ${columns * SIZE} ${rows * SIZE}`, tabindex: 0, role: 'application',
    'aria-label': 'Map of chunks; arrow keys move'});
  part.forEach(([kind, block, used, total], at) => {
    const x = (at % columns) * SIZE + 1;
    const y = Math.floor(at / columns) * SIZE + 1;
    const side = SIZE - 2;
    grid.append(svg('rect', {class: 'k-free', x, y, width: side, height: side, rx: 2, 'data-chunk': at}));
    const height = kind === 'damaged' ? side : Math.max(used ? 2 : 0, side * used / total);
    grid.append(svg('rect', {class: `k-${kind} s-${shade(block)}`, x, y: y + side - height, width: side, height, rx: 2, 'data-chunk': at}));
  });
  const mark = svg('rect', {class: 'chosen', width: SIZE, height: SIZE, rx: 3});
  grid.append(mark);
  const details = el('p', {id: 'chunk', role: 'status', 'aria-live': 'polite'});
  let chosen = 0;
  const choose = (at) => {
    if (at < 0 || at >= part.length) return;
    chosen = at;
    mark.setAttribute('x', (at % columns) * SIZE);
    mark.setAttribute('y', Math.floor(at / columns) * SIZE);
    const [kind, block, used, total] = part[at];
    const fill = kind === 'slots' ? ` of ${bytes(block)}: ${count(used)} of ${count(total)} used`
      : kind === 'pages' ? `: ${used} of ${total} used` : '';
    details.replaceChildren(el('strong', {}, `Chunk ${count(first + at)}`), ` at address ${((first + at) * chunkBytes).toString(16)}: ${kinds[kind]}${fill}`);
  };
  grid.addEventListener('click', ({target}) => {
    if (target.dataset.chunk !== undefined) choose(Number(target.dataset.chunk));
  });
  grid.addEventListener('keydown', (event) => {
    const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns}[event.key];
    if (step) {
      event.preventDefault();
      choose(chosen + step);
    }
  });
  choose(0);
  const present = Object.keys(kinds).filter((kind) => chunks.some(([k]) => k === kind));
  view.append(el('div', {class: 'card'}, grid, details, el('div', {class: 'legend'}, present.map((kind) =>
    el('span', {}, svg('svg', {viewBox: '0 0 8 8'}, svg('rect', {class: `k-${kind}`, width: 8, height: 8, rx: 1})), `${kinds[kind]}: ${count(chunks.filter(([k]) => k === kind).length)}`)))));
  if (chunks.length > CELLS) {
    view.append(el('div', {class: 'bar'},
      el('button', {disabled: first === 0, on: {click: () => show('space', first - CELLS)}}, 'Previous'),
      el('button', {disabled: first + CELLS >= chunks.length, on: {click: () => show('space', first + CELLS)}}, 'Next')));
  }
  view.append(el('p', {class: 'note'}, `${count(chunks.length)} chunks of ${bytes(chunkBytes)}. The height of the colour is the part in use; the greener the blue, the larger the blocks.`));
}

// What a heap does that another process has open, from its counters.
import {bytes, count, el, request, svg} from './ui.js';

const HISTORY = 3600;
const perSecond = (name) => ({perSecond: all}) => all[name] ?? 0;
const value = (name) => ({values}) => values[name] ?? 0;
const CHARTS = [
  ['Transactions per second', perSecond('commits'), (n) => count(Math.round(n))],
  ['Log bytes per second', perSecond('appended LSN'), (n) => bytes(Math.round(n))],
  ['Log in use', value('log used bytes'), bytes],
  ['Private pages', value('private bytes'), bytes],
  ['Pages for the next checkpoint', value('dirty bytes'), bytes],
  ['Waiting threads', value('waiting writers'), count],
];

export async function live(view, {atEnd}) {
  const status = el('div', {class: 'card banner', role: 'status'}, 'Looking for counters …');
  const charts = CHARTS.map(([label, read, shown]) => chart(label, read, shown));
  const cards = el('div', {class: 'cards charts', hidden: true}, charts.map(({element}) => element));
  view.append(el('h1', {}, 'Live'), status, cards);
  const history = [];
  const ending = new AbortController();
  atEnd(() => ending.abort());
  const show = (now) => {
    if (now.state === 'open' || now.state === 'poisoned') {
      status.replaceChildren(now.state === 'open'
        ? `Process ${now.pid} has the heap open. The console reads only its counters.`
        : `The heap in process ${now.pid} failed and must be opened again.`);
      if (history.at(-1)?.number === now.number) return;
      history.push(now);
      if (history.length > HISTORY) history.shift();
      cards.hidden = false;
      charts.forEach(({draw}) => draw(history));
      view.dataset.samples = history.length;
    } else {
      status.replaceChildren({
        none: 'No process shows counters of this heap: none has it open for writing, or not for a second yet.',
        closed: 'The process has closed the heap.',
        stale: `Process ${now.pid} ended without closing the heap. The next opening recovers it.`,
      }[now.state] ?? now.state);
    }
  };
  follow(ending.signal, show).catch(() => {
    if (!ending.signal.aborted) status.replaceChildren('The console does not answer; it may have been ended.');
  });
}

/** Reads states, a line each, until the server ends or the page is left. */
async function follow(signal, show) {
  const {ok, body} = await request('live', {signal});
  if (!ok) throw new Error('refused');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = '', part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop();
    lines.filter((line) => line).forEach((line) => show(JSON.parse(line)));
  }
  throw new Error('ended');
}

function chart(label, read, shown) {
  const figure = el('div', {class: 'figure'});
  const note = el('div', {class: 'note'});
  const area = svg('path', {class: 'area'});
  const stroke = svg('path', {class: 'stroke'});
  const picture = svg('svg', {class: 'chart', viewBox: '0 0 300 100', preserveAspectRatio: 'none', role: 'img', 'aria-label': label}, area, stroke);
  const draw = (history) => {
    const samples = history.map(read);
    const top = Math.max(...samples, 1);
    const step = 300 / Math.max(1, samples.length - 1);
    const line = samples.map((sample, at) => `${(at * step).toFixed(1)},${(98 - 94 * sample / top).toFixed(1)}`).join(' L');
    stroke.setAttribute('d', `M${line}${samples.length === 1 ? ' h300' : ''}`);
    area.setAttribute('d', samples.length > 1 ? `M0,100 L${line} L300,100 Z` : '');
    figure.replaceChildren(shown(samples.at(-1)));
    note.replaceChildren(`most in ${count(samples.length)} s: ${shown(Math.max(...samples))}`);
  };
  return {element: el('div', {class: 'card'}, el('div', {class: 'label'}, label), figure, picture, note), draw};
}

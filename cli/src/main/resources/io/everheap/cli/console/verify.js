// Reads everything and lists what is damaged.
import {ask, bytes, count, el, failure, table, visible} from './ui.js';

export async function verify(view, {left}) {
  const bar = el('progress', {max: 1, value: 0, 'aria-label': 'Progress', hidden: true});
  const what = el('p', {class: 'note', role: 'status'});
  const result = el('div');
  const button = el('button', {class: 'primary', on: {click: () => run(true)}}, 'Verify now');
  view.append(el('h1', {}, 'Verify'), el('div', {class: 'card'},
    el('p', {}, 'Reads all of the heap and looks for damage. Nothing is changed.'), button, bar, what), result);

  async function run(start) {
    try {
      let state = start ? await ask('verify/start', {}, 'POST') : await ask('verify');
      while (state.running && !left.now) {
        result.replaceChildren();
        button.disabled = true;
        bar.hidden = false;
        bar.value = state.part;
        what.replaceChildren(`${Math.round(100 * state.part)} % · ${state.what}`);
        await new Promise((resolve) => setTimeout(resolve, 150));
        state = await ask('verify');
      }
      bar.hidden = true;
      button.disabled = false;
      what.replaceChildren('');
      if (state.failure) result.replaceChildren(failure(new Error(state.failure)));
      else if (state.report) result.replaceChildren(...show(state.report));
    } catch (error) {
      button.disabled = false;
      result.replaceChildren(failure(error));
    }
  }

  await run(false);
}

function show(report) {
  const parts = [el('div', {class: `card banner ${report.ok ? '' : 'bad'}`, id: 'verdict'},
    el('h2', {class: report.ok ? 'good' : 'bad'}, report.ok ? 'OK: no damage found' : `DAMAGED: ${count(report.found)} ${report.found === 1 ? 'problem' : 'problems'}`),
    `${count(report.roots)} roots, ${count(report.entries)} entries, ${count(report.blocks)} blocks, ${bytes(report.bytes)} checked.`,
    report.ok ? '' : el('p', {}, 'Copy the directory before anything else. Restore a backup with ', el('code', {}, 'everheap restore'),
      ', or save what can be read with ', el('code', {}, 'everheap salvage DIR --to DIR2'), '.'))];
  const problems = (title, list, found) => {
    if (list.length) {
      parts.push(el('div', {class: 'card'}, el('h2', {}, title),
        table(['Kind', 'Root', 'Where', 'What'], list.map((p) => [p.kind, visible(p.root), visible(p.where), visible(p.message)])),
        found > list.length ? el('p', {class: 'note'}, `and ${count(found - list.length)} more`) : ''));
    }
  };
  problems('Problems', report.problems, report.found);
  problems('References to what was freed (not damage)', report.dangling, report.foundDangling);
  if (report.foundUnreferenced) {
    parts.push(el('div', {class: 'card'}, el('h2', {}, 'Raw blocks whose handle is nowhere in the heap (not damage)'),
      el('p', {}, `${count(report.foundUnreferenced)} blocks, ${bytes(report.unreferencedBytes)}. `, el('code', {}, 'everheap verify'), ' lists them.')));
  }
  if (report.notChecked.length) {
    parts.push(el('div', {class: 'card'}, el('h2', {}, 'Not checked'), el('ul', {}, report.notChecked.map((text) => el('li', {}, visible(text))))));
  }
  return parts;
}

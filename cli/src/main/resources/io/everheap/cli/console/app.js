// Takes the token from the address and shows the first page.
import {ask, el, failure, remember, visible} from './ui.js';
import {overview} from './overview.js';
import {browse} from './browse.js';
import {space} from './space.js';
import {live} from './live.js';
import {verify} from './verify.js';

const pages = {overview, browse, space, live, verify};
const main = document.getElementById('main');
let leave = () => {};

async function begin() {
  const token = location.hash.slice(1);
  if (/^[0-9a-f]{48}$/.test(token)) {
    history.replaceState(null, '', '/');
    remember(token);
  }
  const {directory, state} = await ask('overview');
  document.getElementById('directory').append(visible(directory));
  for (const button of document.querySelectorAll('nav button')) button.disabled = false;
  show(state === 'in use' ? 'live' : 'overview');
}

export async function show(name, argument) {
  leave();
  const left = {now: false};
  const ends = [];
  leave = () => {
    left.now = true;
    ends.forEach((end) => end());
  };
  for (const button of document.querySelectorAll('nav button')) {
    if (button.dataset.page === name) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
  }
  const view = el('div', {'data-view': name});
  main.replaceChildren(view);
  try {
    await pages[name](view, {argument, show, left, atEnd: (end) => ends.push(end)});
  } catch (error) {
    view.append(failure(error));
  }
  view.dataset.ready = 'true';
}

for (const button of document.querySelectorAll('nav button')) {
  button.addEventListener('click', () => show(button.dataset.page));
}
begin().catch((error) => main.replaceChildren(failure(error)));

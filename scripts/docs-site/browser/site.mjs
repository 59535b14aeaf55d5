// What runs in the pages: the menu of small screens, buttons that copy code, and the search, whose index is loaded when somebody wants to search.
import { startSearch } from './search.mjs';

const base = new URL('.', document.currentScript.src).href;

startMenu();
startCopying();
startSearch(base);

function startMenu() {
  const button = document.querySelector('button.menu');
  const navigation = document.getElementById('navigation');
  // Without this script, all is there to be scrolled.
  document.documentElement.classList.add('with-script');
  button.hidden = false;
  button.addEventListener('click', () => {
    const isOpen = navigation.classList.toggle('open');
    button.setAttribute('aria-expanded', String(isOpen));
  });
  navigation.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

function startCopying() {
  if (navigator.clipboard === undefined) return;
  for (const code of document.querySelectorAll('pre.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    const frame = document.createElement('div');
    frame.className = 'copied';
    code.replaceWith(frame);
    frame.append(code, button);
  }
}

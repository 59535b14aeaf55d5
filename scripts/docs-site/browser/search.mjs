import { Finder } from './finder.mjs';

/** The field in the head of each page: `/` goes there, arrows choose, Enter follows, Escape closes. */
export function startSearch(base) {
  const field = document.getElementById('search');
  const list = document.getElementById('results');
  const status = document.getElementById('search-status');
  const root = new URL('..', base).href;
  let finder;
  let chosen = -1;
  field.closest('.search').hidden = false;

  const close = () => {
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
    chosen = -1;
  };
  const choose = (index) => {
    const options = [...list.querySelectorAll('[role=option]')];
    if (options.length === 0) return;
    chosen = (index + options.length) % options.length;
    options.forEach((option, at) => option.setAttribute('aria-selected', String(at === chosen)));
    options[chosen].scrollIntoView({ block: 'nearest' });
    field.setAttribute('aria-activedescendant', options[chosen].id);
  };
  const show = () => {
    const query = field.value.trim();
    if (query === '' || finder === undefined) return close();
    const found = finder.find(query);
    list.replaceChildren(...found.map((result, index) => optionOf(result, index, root)));
    if (found.length === 0) list.append(paragraph('Nothing found. Try fewer or other words.'));
    status.textContent = found.length === 1 ? '1 page found' : `${found.length} pages found`;
    list.hidden = false;
    field.setAttribute('aria-expanded', 'true');
    choose(0);
  };

  let isLoading = false;
  const load = () => {
    if (isLoading) return;
    isLoading = true;
    const script = document.createElement('script');
    script.src = new URL('search-index.js', base).href;
    script.addEventListener('load', () => {
      finder = new Finder(self.eksGuardrailsIndex);
      show();
    });
    document.head.append(script);
  };
  field.addEventListener('focus', load);
  field.addEventListener('input', show);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (list.hidden) show();
      else choose(chosen + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      const option = list.hidden ? undefined : list.querySelectorAll('[role=option]')[chosen];
      if (option !== undefined) location.href = option.href;
      close();
    } else if (event.key === 'Escape') {
      close();
      field.value = '';
    } else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  document.addEventListener('click', (event) => {
    if (!field.closest('.search').contains(event.target)) close();
    else if (event.target.closest('a') !== null) close();
  });
}

function optionOf({ page, anchor, title, heading, kind, excerpt }, index, root) {
  const link = document.createElement('a');
  link.id = `result-${index}`;
  link.setAttribute('role', 'option');
  link.tabIndex = -1;
  link.href = new URL(page + (anchor === '' ? '' : `#${anchor}`), root).href;
  const name = paragraph(title);
  name.className = 'title';
  const where = document.createElement('span');
  where.textContent = heading === '' ? kind : `${kind} · ${heading}`;
  name.append(where);
  const text = document.createElement('p');
  for (const { text: piece, isFound } of excerpt) {
    const part = isFound ? document.createElement('mark') : document.createTextNode(piece);
    if (isFound) part.textContent = piece;
    text.append(part);
  }
  link.append(name, text);
  return link;
}

function paragraph(text) {
  const element = document.createElement('p');
  element.textContent = text;
  return element;
}

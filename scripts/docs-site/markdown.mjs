import MarkdownIt from 'markdown-it';
import { createCssVariablesTheme, createHighlighter } from 'shiki';

/** Languages of code blocks, as the documents call them. What isn't here is shown without colours. */
const LANGUAGES = ['ts', 'js', 'hcl', 'yaml', 'json', 'sh', 'xml', 'python', 'toml', 'powershell', 'dotenv'];
const ALIASES = { env: 'dotenv', typescript: 'ts' };

/** A piece of a page below one heading, or one sign of a rule, as the search finds it. */
/** @typedef {{anchor: string, heading: string, text: string, isSign: boolean}} Section */

/** Gives a function that turns Markdown into HTML, with the headings and the sections of the page. */
export async function markdownRenderer() {
  const theme = createCssVariablesTheme({ name: 'site', variablePrefix: '--code-' });
  const highlighter = await createHighlighter({ themes: [theme], langs: LANGUAGES });
  const loaded = new Set(highlighter.getLoadedLanguages());
  const known = new Map();
  const highlight = (code, language) => {
    const lang = ALIASES[language] ?? language;
    const key = `${lang}\n${code}`;
    if (!known.has(key))
      known.set(
        key,
        coloured(highlighter.codeToHtml(code.trimEnd(), { lang: loaded.has(lang) ? lang : 'text', theme: 'site' })),
      );
    return known.get(key);
  };
  return (markdown, linkOf) => render(parserFor(linkOf, highlight), markdown);
}

/** Colours are classes, so that the style sheet decides on them, for light, dark and paper. */
function coloured(html) {
  return html
    .replace(/<pre[^>]*>/, '<pre class="code" tabindex="0">')
    .replaceAll(/ style="color:var\(--code-(?:token-)?([\w-]+)\)"/g, (_, name) =>
      name === 'foreground' ? '' : ` class="k-${name}"`,
    )
    .replaceAll('<span class="line">', '<span>')
    .replaceAll(/<span>([^<]*)<\/span>/g, '$1');
}

function parserFor(linkOf, highlight) {
  const parser = new MarkdownIt({ html: true, linkify: true });
  // `README.md` would be an address of Moldova.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  const { rules } = parser.renderer;
  rules.fence = (tokens, index) => `${highlight(tokens[index].content, tokens[index].info.trim())}\n`;
  rules.code_block = (tokens, index) => `${highlight(tokens[index].content, 'text')}\n`;
  // Wide tables scroll by themselves, so that the page doesn't.
  rules.table_open = () =>
    '<div class="table" tabindex="0" role="region" aria-label="Table, may be scrolled"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.th_open = () => '<th scope="col">';
  rules.html_block = rules.html_inline = (tokens, index) => {
    const { content } = tokens[index];
    if (/^\s*<!--[^]*-->\s*$/.test(content)) return '';
    if (/^<a id="[\w.-]+"><\/a>\s*$|^<\/?(?:a|br)\b[^>]*>$/.test(content)) return content;
    throw new Error(`the site knows no HTML in Markdown but comments: ${content}`);
  };
  rules.link_open = (tokens, index, options, environment, self) => {
    const token = tokens[index];
    const href = linkOf(token.attrGet('href'));
    token.attrSet('href', href);
    if (/^https?:/.test(href)) token.attrSet('rel', 'noopener');
    return self.renderToken(tokens, index, options);
  };
  rules.heading_open = (tokens, index) => `<${tokens[index].tag} id="${tokens[index].attrGet('id')}">`;
  rules.heading_close = (tokens, index) => {
    const { tag } = tokens[index];
    const id = tokens[index - 2].attrGet('id');
    return `${tag === 'h1' ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`}</${tag}>\n`;
  };
  return parser;
}

function render(parser, markdown) {
  const tokens = parser.parse(markdown, {});
  const headings = [];
  const used = new Map();
  tokens.forEach((token, index) => {
    for (const { content } of token.children ?? []) count(/^<a id="([^"]+)">/.exec(content)?.[1], used);
    if (token.type !== 'heading_open') return;
    const text = textOf(tokens[index + 1]);
    const slug = slugOf(text);
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    const id = times === 0 ? slug : `${slug}-${times}`;
    token.attrSet('id', id);
    headings.push({ level: Number(token.tag.slice(1)), id, text });
  });
  return { html: parser.renderer.render(tokens, parser.options, {}), headings, sections: sectionsOf(tokens) };
}

/** The rows of typedoc have anchors, too, and count among the names of which later ones get a number. */
function count(id, used) {
  if (id === undefined) return;
  const name = used.has(id) ? id : id.replace(/-\d+$/, (end) => (used.has(id.slice(0, -end.length)) ? '' : end));
  used.set(name, (used.get(name) ?? 0) + 1);
}

/** The anchor of a heading, as GitHub makes it, so that links work in both places. */
function slugOf(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

function textOf({ children }) {
  return children.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** Where a rule lists what people see: each item is found by itself. */
const SIGNS = 'How to recognise it';

/** Repeated on each page of a rule, with another id. */
const LEFT_OUT = 'When to ignore it';

function sectionsOf(tokens) {
  const sections = [];
  let current = { anchor: '', heading: '', text: '', isSign: false };
  sections.push(current);
  tokens.forEach((token, index) => {
    const { type } = token;
    if (type === 'heading_open' && token.tag !== 'h1') {
      current = { anchor: token.attrGet('id'), heading: textOf(tokens[index + 1]), text: '', isSign: false };
      sections.push(current);
    } else if (type === 'list_item_open' && current.heading === SIGNS) {
      current = { ...current, text: '', isSign: true };
      sections.push(current);
    } else if (type === 'inline' && tokens[index - 1].type !== 'heading_open') current.text += `${textOf(token)}\n`;
    else if (type === 'fence' && current.heading !== LEFT_OUT) current.text += `${token.content}\n`;
  });
  return sections.filter(({ text, heading }) => text.trim() !== '' || heading !== '');
}

import { posix } from 'node:path';

const { dirname, join, normalize } = posix;

/** Links of the pages, and what they load, that lead nowhere: to a file that isn't there, out of the site, or to an anchor that its page hasn't. */
export function deadLinks(files) {
  const anchors = new Map();
  for (const [name, content] of files)
    if (name.endsWith('.html'))
      anchors.set(name, new Set(Array.from(content.matchAll(/ id="([^"]+)"/g), ([, id]) => id)));
  return [...anchors.keys()].flatMap((name) =>
    [...new Set(Array.from(files.get(name).matchAll(/ (?:href|src)="([^"]*)"/g), ([, link]) => link))].flatMap(
      (link) => {
        if (/^(?:https?|mailto):/.test(link)) return [];
        const [path, anchor] = link.replaceAll('&amp;', '&').split('#');
        const target = path === '' ? name : normalize(join(dirname(name), path));
        const isThere =
          files.has(target) && (anchor === undefined || anchors.get(target)?.has(decodeURIComponent(anchor)) === true);
        return isThere ? [] : [`${name}: ${link}`];
      },
    ),
  );
}

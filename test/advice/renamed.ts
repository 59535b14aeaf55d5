import { isMap, isSeq, parseAllDocuments, type Document } from 'yaml';

/* Groups of eksctl that get another name with a fix, since eksctl changes none that exists. */

/** The old names of groups by their new ones. */
export function renamedIn(fixCode: string): ReadonlyMap<string, string> {
  return new Map(
    [...fixCode.matchAll(/^name: (\S+) # a new group, .* drains (\S+) then$/gm)].map(([, now = '', before = '']) => [
      now.replaceAll('"', ''),
      before,
    ]),
  );
}

/** An id of a resource as it was before. */
export function idBefore(id: string, renamed: ReadonlyMap<string, string>): string {
  return id
    .split('.')
    .map((part) => renamed.get(part) ?? part)
    .join('.');
}

/** A file whose groups have their new names, to see what else a fix takes out. */
export function withNewNames(text: string, renamed: ReadonlyMap<string, string>): string {
  if (renamed.size === 0) return text;
  const documents = parseAllDocuments(text, { uniqueKeys: false }) as Document.Parsed[];
  for (const document of documents)
    for (const list of ['managedNodeGroups', 'nodeGroups']) {
      const groups = document.get(list);
      for (const group of isSeq(groups) ? groups.items : [])
        for (const [now, before] of renamed) if (isMap(group) && group.get('name') === before) group.set('name', now);
    }
  return documents.map(String).join('\n---\n');
}

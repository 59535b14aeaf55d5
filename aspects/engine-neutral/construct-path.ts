import type { IConstruct } from 'constructs';

/** Whether a construct path is another one or below it; the app's own path is empty. */
export function isAtOrBelow(path: string, ancestor: string): boolean {
  return ancestor === '' || path === ancestor || path.startsWith(`${ancestor}/`);
}

/** A construct by its path in the app, if it exists. */
export function constructAt(anywhere: IConstruct, path: string): IConstruct | undefined {
  let construct: IConstruct | undefined = anywhere.node.root;
  for (const id of path.split('/')) {
    if (id !== '') construct = construct?.node.tryFindChild(id);
  }
  return construct;
}

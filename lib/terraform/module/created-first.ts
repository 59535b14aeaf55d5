import type { Body } from '../../languages/hcl/ast';
import type { DeclaredResource } from './module-configuration';

/*
 * `create_before_destroy` has two of a resource for a while, which can't have one name.
 */

/** The expression of an argument of such a resource, made another text; undefined of others, and where it isn't written. */
export function anotherText({ block: { body }, file }: DeclaredResource, argument: string): string | undefined {
  const value = body.attributes.find(({ name }) => name === argument)?.value;
  if (value === undefined || !isCreatedFirst(body)) return undefined;
  const text = file.textOf?.(value.range);
  if (text === undefined) return undefined;
  const isText = value.kind === 'template' || (value.kind === 'literal' && typeof value.value === 'string');
  if (!isText) return text.includes('\n') ? undefined : `"\${${text}}-2"`;
  return text.startsWith('"') ? `${text.slice(0, -1)}-2"` : undefined;
}

function isCreatedFirst({ blocks }: Body): boolean {
  return blocks.some(
    ({ type, body }) =>
      type === 'lifecycle' &&
      body.attributes.some(
        ({ name, value }) => name === 'create_before_destroy' && value.kind === 'literal' && value.value === true,
      ),
  );
}

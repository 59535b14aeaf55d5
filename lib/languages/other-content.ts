import type { Diagnostic } from '../value';
import type { ParsedDocument } from './document';

/**
 * What stands at the top of a text beside the keys that make it an input of another kind: a template, or an object of Kubernetes. Nothing of it is
 * checked, which is told.
 * @param what that input: `a Terraform plan`
 */
export function otherContent(document: ParsedDocument, file: string, what: string): readonly Diagnostic[] {
  const { root } = document;
  if (typeof root !== 'object' || root === null) return [];
  const top = root as Readonly<Record<string, unknown>>;
  const tell = (key: string, sign: string, whole: string): readonly Diagnostic[] => [
    {
      severity: 'error',
      message: `not checked: ${sign}, in a file with the keys of ${what}; give the ${whole} a file of its own`,
      file,
      ...document.locate([key]),
    },
  ];
  const { Resources: resources, kind, apiVersion } = top;
  if (typeof resources === 'object' && resources !== null && !Array.isArray(resources))
    return tell('Resources', '`Resources`, as a CloudFormation template has', 'template');
  return typeof kind === 'string' && typeof apiVersion === 'string'
    ? tell('kind', '`apiVersion` and `kind`, as an object of Kubernetes has', 'object')
    : [];
}

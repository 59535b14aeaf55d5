import type { Data, KubernetesManifest } from '../../../../lib/eks';
import { nodeClassCode } from '../../../../lib/rules/imds/parts/node-class-options';
import { nowhere, Unknown } from '../../../../lib/value';

/** The code that requires tokens of a node class with an endpoint of its own. */
function codeBeside(httpEndpoint: Data, isWrittenInHcl: boolean): string {
  const object = { spec: { metadataOptions: { httpTokens: 'optional', httpEndpoint } } };
  const manifest: Partial<KubernetesManifest> = { kind: 'manifest', object, source: nowhere, isWrittenInHcl };
  return nodeClassCode(manifest as KubernetesManifest, { httpTokens: 'required' }).nodeClassInTerraform;
}

const unknown = (text?: string) => new Unknown('nobody tells', nowhere, text);

describe('the metadata options of a node class keep what the user sets besides', () => {
  it.each<[string, Data, string]>([
    ['a text', 'disabled', '"disabled"'],
    ['nothing', null, 'null'],
    ['a reference', unknown('${var.nodes[0].endpoint}'), 'var.nodes[0].endpoint'],
  ])('in HCL: %s', (_, value, written) => {
    expect(codeBeside(value, true)).toBe(
      `# in the spec of the EC2NodeClass:\nmetadataOptions = {\n  httpTokens   = "required"\n  httpEndpoint = ${written}\n}`,
    );
  });

  it.each<[string, Data, string]>([
    ['a word', 'disabled', 'disabled'],
    ['a text', 'dis abled', '"dis abled"'],
    ['a reference', unknown('${var.endpoint}'), '${var.endpoint}'],
  ])('in YAML: %s', (_, value, written) => {
    expect(codeBeside(value, false)).toBe(
      `# in the spec of the EC2NodeClass:\nmetadataOptions:\n  httpTokens: required\n  httpEndpoint: ${written}`,
    );
  });

  it.each<[string, Data]>([
    ['a text with a reference', unknown('${var.a}abled')],
    ['a text that ends with one', unknown('dis${var.a}')],
    ['an expression', unknown('${var.a ? 1 : 2}')],
    ['what has no text', unknown()],
    ['a text that would be read otherwise', 'a${b}'],
  ])('or are changed one by one beside what can not be written again: %s', (_, value) => {
    for (const isInHcl of [true, false])
      expect(codeBeside(value, isInHcl)).toBe(
        `# in the spec.metadataOptions of the EC2NodeClass:\nhttpTokens${isInHcl ? ' = "required"' : ': required'}`,
      );
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPaths } from '../../../../lib/check';

/* An object whose text can't be read is told, as a manifest that can't is: else nobody would miss what the rules don't see. */

const KUBECTL = (text: string): string =>
  `resource "kubectl_manifest" "class" {\n  yaml_body = <<-EOT\n${text}\nEOT\n}\n`;
const DECODED = (text: string): string =>
  `resource "kubernetes_manifest" "class" {\n  manifest = yamldecode(<<-EOT\n${text}\nEOT\n  )\n}\n`;

function told(text: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-objects-'));
  try {
    writeFileSync(join(folder, 'main.tf'), `variable "spec" {}\n${text}`);
    return checkPaths([folder]).diagnostics.map(({ severity, message, line }) => `${severity} ${line} ${message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('an object in Terraform', () => {
  it.each([
    ['broken YAML', 'kind: EC2NodeClass\nspec: [a'],
    ['a key twice', 'kind: EC2NodeClass\nkind: EC2NodeClass'],
  ])('of a text that is %s is told', (_, text) => {
    expect(told(KUBECTL(text))).toEqual([
      expect.stringMatching(/^error 3 kubectl_manifest\.class can't be read, so its object isn't checked: /),
    ]);
  });

  it('of a text of yamldecode that is broken is told', () => {
    expect(told(DECODED('kind: EC2NodeClass\nspec: [a'))).toEqual([
      expect.stringMatching(/^error 3 kubernetes_manifest\.class can't be read, so its object isn't checked: /),
    ]);
  });

  it('of a kind that no rule looks at is none of ours', () => {
    expect(told(KUBECTL('apiVersion: cert-manager.io/v1\nkind: Issuer\nkind: Issuer'))).toEqual([]);
  });

  it('of a variable that is null until somebody gives it is not told', () => {
    const text = 'variable "object" {\n  default = null\n}\n';
    expect(told(`${text}resource "kubernetes_manifest" "class" {\n  manifest = yamldecode(var.object)\n}\n`)).toEqual(
      [],
    );
  });

  it.each([
    ['can be read', 'kind: EC2NodeClass\nspec: {}'],
    ['has a part that is not known', 'kind: EC2NodeClass\nspec:\n${var.spec}\nkind: [a'],
  ])('of a text that %s is not', (_, text) => {
    expect(told(KUBECTL(text) + DECODED(text))).toEqual([]);
  });
});

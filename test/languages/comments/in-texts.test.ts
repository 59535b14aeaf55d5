import { parseYamlDocument } from '../../../lib/languages/yaml/parse-yaml';
import { hclFile } from '../../../lib/terraform/module/hcl-file';

/* What looks like a comment within a text is none: nothing in an input hides something else in it. */

const LINE = '# eks-guardrails:ignore imds-hop-limit -- hidden';

const decisions = (placed: { readonly placed: readonly unknown[] } | undefined): number => placed?.placed.length ?? 0;

describe('in HCL', () => {
  it.each([
    ['a here-document', `a = <<EOT\n${LINE}\nEOT\n`],
    ['an indented here-document', `a = <<-EOT\n    #!/bin/bash\n    ${LINE}\n  EOT\n`],
    ['a here-document of a here-document', `a = <<EOT\ncat > x <<EOF\n${LINE}\nEOF\n${LINE}\nEOT\n`],
    ['a here-document as an argument', `a = base64encode(<<-EOT\n    ${LINE}\n  EOT\n)\n`],
    [
      'what stands behind an interpolation',
      `a = <<-EOT\n  \${var.x}\n  ${LINE}\n  %{ if var.y }\n  ${LINE}\n  %{ endif }\nEOT\n`,
    ],
    ['what stands behind an escaped interpolation', `a = <<-EOT\n  $\${x\n  ${LINE}\nEOT\n`],
    ['quotes', `a = "${LINE}"\n`],
  ])('%s holds no comment', (_, text) => {
    expect(decisions(hclFile(`resource "r" "a" {\n${text}}\n`, 'main.tf').comments)).toBe(0);
  });

  it('a comment behind a here-document is one', () => {
    expect(
      decisions(hclFile(`resource "r" "a" {\na = <<EOT\n${LINE}\nEOT\n${LINE}\nb = 1\n}\n`, 'main.tf').comments),
    ).toBe(1);
  });
});

describe('in YAML', () => {
  it.each([
    ['a literal block', `a: |\n  ${LINE}\n  b\n`],
    ['a folded block', `a: >-\n  b\n  ${LINE}\n`],
    ['a block of a function', `a:\n  Fn::Sub: |\n    ${LINE}\n`],
    ['a block behind a tag', `a: !Sub |\n  ${LINE}\n`],
    ['double quotes over lines', `a: "b\n  ${LINE}\n  c"\n`],
    ['single quotes over lines', `a: 'b\n  ${LINE}\n  c'\n`],
  ])('%s holds no comment', (_, text) => {
    expect(
      decisions(
        parseYamlDocument(`Resources:\n  R:\n${text.replaceAll(/^(?=.)/gm, '    ')}`, 'a.yaml', true, 'error').comments,
      ),
    ).toBe(0);
  });

  it('a comment behind a block is one', () => {
    expect(decisions(parseYamlDocument(`a: |\n  ${LINE}\n${LINE}\nb: 1\n`, 'a.yaml', true, 'error').comments)).toBe(1);
  });
});

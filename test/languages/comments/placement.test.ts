import fc from 'fast-check';
import { cpuTime } from '../../cpu-time';
import type { FileComments } from '../../../lib/languages/comments/ignores';
import type { Item } from '../../../lib/languages/comments/placement';
import { parseDocument } from '../../../lib/languages';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { itWithAll, runs } from '../../share';

const YAML = `# [1]
AWSTemplateFormatVersion: "2010-09-09" # [2]

# [3]
Resources: # [4]
  # [5]
  # an ordinary comment
  One: # [6]
    # [7]
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData: # [8]
        # [9]
        MetadataOptions:
          HttpTokens: required # [10]
          # [11]

        UserData: | # [12]
          #!/bin/bash
          # [no comment]
        TagSpecifications:
          # [13]
          - ResourceType: instance
            Tags: [{ Key: a, Value: b }, # [14]
              # [15]
              { Key: c,
                # [16]

                Value: d }] # [17]
          # [18]
          -
            ResourceType: volume # [19]
            # [20]

    # [21]

  # [22]

  # [23]
  Two:
    Type: AWS::S3::Bucket
# [24]

# [25]
Outputs: {}
# [26]
`;

const HCL = `# [1]

locals { # [2]
  a = 1 // [3]
  # [4]
}
/* [5] */ resource "aws_launch_template" "x" { # [6]
  # [7]
  // another one
  metadata_options {
    http_tokens = "required" # [8]
    /*
     * [9]
     */
    hops = 1
    # [10]
  } # [11]
  # [12]

  user_data = <<-EOT
    # [no comment]
  EOT
  tags = {
    # [13]
    a = "\${var.x /* [14] */}"
    b = merge({ c = 1 }, # [15]
      { # [16]
        d = [
          1, # [17]
          # [18]
          2,
        ] # [19]
      },
    ) # [20]
  }
  dynamic "block_device_mappings" {
    for_each = []
    # [21]
    content {
      name = "y" # [22]
    }
  }
  # [23]
} # [24]
# [25]
module "m" { source = "./m" } # [26]
# [27]
`;

/** Marks of a text as comments about eks-guardrails, and what each is about: its path with its line. */
function targets(text: string, commentsOf: (text: string) => FileComments | undefined): Record<string, string> {
  const marked = text.replaceAll(/\[(\d+|no comment)\]/g, 'eks-guardrails:ignore rule-$1 -- x');
  const comments = commentsOf(marked);
  const found = (comments?.placed ?? []).map(({ comment, item }): [string, string] => [
    /rule-(.*) --/.exec(comment.text)?.[1] ?? '?',
    item === undefined ? 'nothing' : `${pathOf(item)} ${comments?.lines.at(item.start).line ?? ''}`,
  ]);
  expect(new Set(found.map(([mark]) => mark)).size).toBe(found.length);
  return Object.fromEntries(found);
}

function pathOf(item: Item): string {
  return item.parent === undefined ? item.name : `${pathOf(item.parent)}/${item.name}`;
}

const inYaml = (text: string) => parseDocument(text, 'template.yaml').comments;
const inHcl = (text: string) => hclFile(text, 'main.tf').comments;

describe('a comment of YAML is about', () => {
  it('what begins in its line, or right below, or what it stands in by its indentation', () => {
    expect(targets(YAML, inYaml)).toEqual({
      1: 'AWSTemplateFormatVersion 2',
      2: 'AWSTemplateFormatVersion 2',
      3: 'Resources 5',
      4: 'Resources 5',
      5: 'Resources/One 8',
      6: 'Resources/One 8',
      7: 'Resources/One/Type 10',
      8: 'Resources/One/Properties/LaunchTemplateData 12',
      9: 'Resources/One/Properties/LaunchTemplateData/MetadataOptions 14',
      10: 'Resources/One/Properties/LaunchTemplateData/MetadataOptions/HttpTokens 15',
      11: 'Resources/One/Properties/LaunchTemplateData/MetadataOptions 14',
      12: 'Resources/One/Properties/LaunchTemplateData/UserData 18',
      13: 'Resources/One/Properties/LaunchTemplateData/TagSpecifications/0 23',
      14: 'Resources/One/Properties/LaunchTemplateData/TagSpecifications/0/Tags 24',
      15: 'Resources/One/Properties/LaunchTemplateData/TagSpecifications/0/Tags/1 26',
      16: 'Resources/One/Properties/LaunchTemplateData/TagSpecifications/0/Tags/1 26',
      17: 'Resources/One/Properties/LaunchTemplateData/TagSpecifications/0/Tags/1/Value 29',
      18: 'Resources/One/Properties/LaunchTemplateData/TagSpecifications/1 31',
      19: 'Resources/One/Properties/LaunchTemplateData/TagSpecifications/1/ResourceType 32',
      20: 'Resources/One/Properties/LaunchTemplateData/TagSpecifications/1 31',
      21: 'Resources/One 8',
      22: 'Resources 5',
      23: 'Resources/Two 40',
      24: 'nothing',
      25: 'Outputs 45',
      26: 'nothing',
    });
  });

  it('the same with the line breaks of Windows', () => {
    expect(targets(YAML.replaceAll('\n', '\r\n'), inYaml)).toEqual(targets(YAML, inYaml));
  });

  it('nothing where there are none, or none of its kind', () => {
    expect(inYaml('Resources: {} # nothing here\n')).toBeUndefined();
    expect(inYaml('Description: eks-guardrails\n')).toBeUndefined();
    expect(inYaml('{"Description": "# eks-guardrails:ignore a -- b"}')).toBeUndefined();
  });
});

describe('a comment of HCL is about', () => {
  it('what begins in its line, or right below, or what it stands in', () => {
    const x = 'resource aws_launch_template.x';
    expect(targets(HCL, inHcl)).toEqual({
      1: 'nothing',
      2: 'locals 3',
      3: 'locals/a 4',
      4: 'locals 3',
      5: `${x} 7`,
      6: `${x} 7`,
      7: `${x}/metadata_options 10`,
      8: `${x}/metadata_options/http_tokens 11`,
      9: `${x}/metadata_options/hops 15`,
      10: `${x}/metadata_options 10`,
      11: `${x}/metadata_options 10`,
      12: `${x} 7`,
      13: `${x}/tags/a 25`,
      14: `${x}/tags/a 25`,
      15: `${x}/tags/b 26`,
      16: `${x}/tags/b 26`,
      17: `${x}/tags/b/d/0 29`,
      18: `${x}/tags/b/d/1 31`,
      19: `${x}/tags/b/d 28`,
      20: `${x}/tags/b 26`,
      21: `${x}/dynamic block_device_mappings/content 39`,
      22: `${x}/dynamic block_device_mappings/content/name 40`,
      23: `${x} 7`,
      24: `${x} 7`,
      25: 'module m 46',
      26: 'module m 46',
      27: 'nothing',
    });
  });

  it('the same with the line breaks of Windows', () => {
    expect(targets(HCL.replaceAll('\n', '\r\n'), inHcl)).toEqual(targets(HCL, inHcl));
  });

  it('nothing where there are none, or none of its kind', () => {
    expect(inHcl('a = "# eks-guardrails:ignore a -- b"\n# another comment\n')).toBeUndefined();
  });
});

describe('the text of a comment', () => {
  const own = 'eks-guardrails:ignore a -- b';
  const textsOf = (comments: FileComments | undefined) => comments?.placed.map(({ comment }) => comment.text);

  it.each([
    [`# ${own}`, own],
    [`### ${own} #`, `${own} #`],
    [`//${own} `, own],
    [`//// ${own}`, own],
    [`/* ${own} */`, own],
    [`/** ${own} **/`, `${own} *`],
    [`/*\n * ${own}\n\t** * c\n */`, `${own}\n * c`],
  ])('is without its marks in HCL: %j', (comment, text) => {
    expect(textsOf(inHcl(`${comment}\na = 1\n`))).toEqual([text]);
  });

  it.each([
    [`# ${own}`, own],
    [`###  ${own} # `, `${own} #`],
  ])('is without its marks in YAML: %j', (comment, text) => {
    const [placed] = inYaml(`${comment}\nA: 1\n`)?.placed ?? [];
    expect([placed?.comment.text, placed?.comment.end]).toEqual([text, comment.trimEnd().length]);
  });

  it('is told with the outermost block around what it is about', () => {
    const details = inHcl(
      `resource "x" "y" {\n  # ${own}\n  a {\n    # ${own}\n    b = {\n      # ${own}\n      c = [1, # ${own}\n      2]\n    }\n  }\n}\n# ${own}\n`,
    )?.placed.map(({ item }) => (item?.detail as { type?: string } | undefined)?.type);
    expect(details).toEqual(['resource', 'resource', 'resource', 'resource', undefined]);
  });
});

describe('an item of a list in YAML begins with its dash', () => {
  it.each([
    ['- a', 3],
    ['-   a', 3],
    ['- !tag &x a', 3],
    ['- &x\n    - a', 3],
    ['- "-" ', 3],
  ])('%j', (item, column) => {
    const comments = inYaml(`A:\n  ${item} # eks-guardrails:ignore a -- b\n`);
    const [placed] = comments?.placed ?? [];
    expect(comments?.lines.at(placed?.item?.start ?? 0).column).toBe(item.includes('\n') ? 5 : column);
  });
});

it('comments anywhere in a broken text are read without an exception', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '# eks-guardrails:ignore a -- b',
      '\n',
      '  ',
      'a: ',
      'a = ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      '"',
      '/* eks-guardrails:ignore a -- b',
      '*/',
      '<<E\n',
      'E\n',
      'b',
      '|',
      '&x ',
      '*x',
      ',',
    ),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      for (const comments of [inYaml(text), inHcl(text)]) {
        for (const { comment, item } of comments?.placed ?? []) {
          expect(text.slice(comment.start, comment.end)).toContain('eks-guardrails');
          if (item !== undefined) expect(item.end).toBeGreaterThanOrEqual(item.start);
        }
      }
    }),
    { numRuns: runs(500) },
  );
});

itWithAll('thousands of comments are placed in no time', () => {
  const yaml = `Resources:\n${'  # eks-guardrails:ignore a -- b\n  A:\n    B: 1 # eks-guardrails:ignore a -- b\n'.replaceAll(/[AB]/g, (letter) => `${letter}%`).repeat(5000)}`;
  let count = 0;
  expect(inYaml(yaml.replaceAll('%', () => String(count++)))?.placed).toHaveLength(10_000);
  expect(
    inHcl('# eks-guardrails:ignore a -- b\nx "y" {\n  a = 1 # eks-guardrails:ignore a -- b\n}\n'.repeat(5000))?.placed,
  ).toHaveLength(10_000);
});

itWithAll('takes time in proportion to the comments, however many stand below each other', () => {
  const mark = '# eks-guardrails:ignore imds-v1 -- x\n';
  const elapsed = cpuTime();
  const yaml = parseDocument(`Resources:\n${mark.repeat(20_000)}  A: {}\n`, 'a.yaml').comments;
  const hcl = hclFile(`${mark.repeat(20_000)}locals {}\n`, 'a.tf').comments;
  expect(yaml?.placed.map(({ item }) => item?.name)).toEqual(Array.from({ length: 20_000 }, () => 'A'));
  expect(hcl?.placed).toHaveLength(20_000);
  expect(elapsed()).toBeLessThan(15_000);
});

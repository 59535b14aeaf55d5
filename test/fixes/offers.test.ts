import fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPaths, type CheckResult } from '../../lib/check';
import type { OfferedEdit } from '../../lib/engine';
import { EditPlaces } from '../../lib/fixes/edit-places';
import { Offers } from '../../lib/fixes/offers';
import { fixFiles } from '../../lib/fixes/run';
import { applyEdits, inSuccession, type TextEdit } from '../../lib/fixes/text-edit';
import { render } from '../../lib/reports';
import { Secrets } from '../../lib/text/secrets';
import { workspace } from '../cli/workspace';
import { cpuTime } from '../cpu-time';
import { contextWith } from '../reports/hand-made';
import type { SarifLog } from '../reports/sarif-schema';
import { itWithAll } from '../share';

const TEMPLATE = `Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        # nodes
        InstanceType: m6i.large
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: prod
      AmiType: AL2023_x86_64_STANDARD
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1, subnet-2]
      ForceUpdateEnabled: true
      LaunchTemplate: { Id: !Ref Template, Version: !GetAtt Template.LatestVersionNumber }
  Spot:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: prod
      AmiType: AL2023_x86_64_STANDARD
      NodeRole: arn:aws:iam::111122223333:role/nodes
      Subnets: [subnet-1, subnet-2]
      ForceUpdateEnabled: true # for now
  Dns:
    Type: AWS::EKS::Addon
    Properties:
      ClusterName: prod
      AddonName: coredns
      AddonVersion: v1.12.1-eksbuild.2
`;

const CONFIGURATION = `resource "aws_launch_template" "nodes" {
  name = "nodes"
}

resource "aws_eks_node_group" "nodes" {
  cluster_name         = "prod"
  node_role_arn        = "arn:aws:iam::111122223333:role/nodes"
  subnet_ids           = ["subnet-1", "subnet-2"]
  ami_type             = "AL2023_x86_64_STANDARD"
  force_update_version = true
  launch_template {
    id      = aws_launch_template.nodes.id
    version = aws_launch_template.nodes.latest_version
  }
  scaling_config {
    desired_size = 1
    max_size     = 2
    min_size     = 1
  }
}

resource "aws_eks_addon" "dns" {
  for_each      = toset(["a", "b"])
  cluster_name  = each.key
  addon_name    = "coredns"
  addon_version = "v1.12.1-eksbuild.2"
}
`;

/** Applies what a report tells of a file: pieces that meet one that was made before are left for the next report. */
function applied(text: string, all: readonly (readonly OfferedEdit[])[]): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lines = text.slice(mark.length).split(/(?<=\n)/);
  const offset = ({ line, column }: OfferedEdit['start']) => lines.slice(0, line - 1).join('').length + column - 1;
  const made: TextEdit[] = [];
  for (const edits of all) {
    const pieces = edits.map(({ start, end, text: now }) => ({ start: offset(start), end: offset(end), text: now }));
    const meets = pieces.some((piece) => made.some(({ start, end }) => piece.start <= end && piece.end >= start));
    if (!meets) made.push(...pieces);
  }
  return mark + applyEdits(text.slice(mark.length), made);
}

/** The edits of a SARIF log, as a reader of the standard finds them in the text. */
function sarifEdits(result: CheckResult, text: string, offers: Offers): (readonly OfferedEdit[])[] {
  const log = JSON.parse(
    render(
      'sarif',
      result,
      contextWith({}, { repairs: offers, list: { info: true, unverifiable: true, suppressed: false } }),
    ),
  ) as SarifLog;
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return log.runs[0].results.flatMap(({ fixes = [] }) =>
    fixes.map(({ artifactChanges: [change] }) =>
      change.replacements.map(({ deletedRegion: region, insertedContent }): OfferedEdit => {
        const { startLine, endLine = startLine, startColumn = 1, endColumn } = region;
        return {
          file: change.artifactLocation.uri,
          start: { line: startLine, column: startColumn },
          end: { line: endLine, column: endColumn ?? (lines[endLine - 1] ?? '').length + 1 },
          isWhole: endColumn === undefined,
          text: insertedContent.text,
        };
      }),
    ),
  );
}

async function fixedBy(file: string, isUnsafe: boolean, rule?: string): Promise<string> {
  const before = readFileSync(file, 'utf8');
  const { files } = await fixFiles(checkPaths([file]), {
    check: (texts) => Promise.resolve(checkPaths([file], {}, { texts })),
    isWanted: (one) => rule === undefined || one.rule === rule,
    isUnsafe,
    isDryRun: true,
    write: () => Promise.reject(new Error('nothing is written')),
    whyNotWritten: () => undefined,
  });
  return files[0]?.after ?? before;
}

const root = workspace({
  'nodes.yaml': TEMPLATE,
  'crlf.yaml': `\uFEFF${TEMPLATE.replaceAll('\n', '\r\n')}`,
  'no-end.yaml': TEMPLATE.trimEnd(),
  'main.tf': CONFIGURATION,
  'secret.yaml': TEMPLATE.replace('# for now', '# PASSWORD=hunter2hunter2'),
  'minified.json': JSON.stringify({
    Resources: {
      Dns: {
        Type: 'AWS::EKS::Addon',
        Properties: {
          ClusterName: 'prod',
          AddonName: 'coredns',
          AddonVersion: 'v1.12.1-eksbuild.2',
          Tags: [{ Key: 'k', Value: 'x'.repeat(3000) }],
        },
      },
    },
  }),
});

describe('edits that reports offer', () => {
  it.each(['nodes.yaml', 'crlf.yaml', 'no-end.yaml', 'main.tf', 'minified.json'])(
    'of each rule of %s are what --fix does, in SARIF as in JSON',
    async (name) => {
      const file = join(root, name);
      const text = readFileSync(file, 'utf8');
      const result = checkPaths([file]);
      const offers = new Offers(result);
      const offered = result.findings.filter((finding) => offers.withEdits(finding) !== undefined);
      expect(offered.length).toBeGreaterThan(0);
      for (const rule of new Set(offered.map((finding) => finding.rule))) {
        const own = offered.filter((finding) => finding.rule === rule);
        const isUnsafe = own.some((finding) => offers.of(finding)?.safety === 'unsafe');
        const edits = own.map((finding) => offers.withEdits(finding)?.edits ?? []);
        const expected = await fixedBy(file, isUnsafe, rule);
        expect({ rule, text: applied(text, edits) }).toEqual({ rule, text: expected });
        const only = { ...result, findings: own };
        expect(applied(text, sarifEdits(only, text, new Offers(only)))).toBe(expected);
      }
    },
  );

  it.each(['nodes.yaml', 'main.tf'])(
    'of all rules of %s, report after report, are what --fix --unsafe does',
    async (name) => {
      const file = join(root, name);
      const before = readFileSync(file, 'utf8');
      let text = before;
      for (let round = 0; round < 5; round++) {
        writeFileSync(file, text);
        const result = checkPaths([file]);
        const edits = sarifEdits(result, text, new Offers(result));
        if (edits.length === 0) break;
        text = applied(text, edits);
      }
      writeFileSync(file, before);
      expect(text).toBe(await fixedBy(file, true));
    },
  );

  it('are none where they would show a secret, and the repair is told all the same', () => {
    const result = checkPaths([join(root, 'secret.yaml')]);
    const offers = new Offers(result);
    const told = result.findings.flatMap((finding) =>
      finding.resource.id === 'Spot' ? (offers.withEdits(finding) ?? []) : [],
    );
    expect(told.map(({ safety }) => safety)).toContain('unsafe');
    expect(JSON.stringify(told)).not.toContain('hunter2');
  });

  it('are not offered again after --fix, but for those that need a decision', () => {
    const result = checkPaths([join(root, 'nodes.yaml')]);
    const safeties = (tried?: 'safe' | 'all') => {
      const offers = new Offers(result, tried === undefined ? {} : { tried });
      return new Set(result.findings.flatMap((finding) => offers.of(finding)?.safety ?? []));
    };
    expect(safeties()).toEqual(new Set(['safe', 'unsafe']));
    expect(safeties('safe')).toEqual(new Set(['unsafe']));
    expect(safeties('all')).toEqual(new Set());
  });
});

describe('a repair is offered only where --fix makes it, and not where', () => {
  const nodes = (version: string, force: string): string =>
    `resource "aws_eks_node_group" "nodes" {\n  cluster_name = "prod"\n  node_role_arn = "arn:aws:iam::111122223333:role/nodes"\n  subnet_ids = ["subnet-1"]\n  ami_type = "BOTTLEROCKET_x86_64"\n${version}${force}  scaling_config {\n    desired_size = 1\n    max_size = 2\n    min_size = 1\n  }\n}\n`;
  const template = (block: string): string =>
    `resource "aws_launch_template" "nodes" {\n  name = "nodes"\n${block}}\n\n${nodes('', '  launch_template {\n    id = aws_launch_template.nodes.id\n    version = "1"\n  }\n')}`;
  const obstacles: Readonly<Record<string, string>> = {
    'a variable decides the value': `variable "force" {\n  default = true\n}\n\n${nodes('', '  force_update_version = var.force\n')}`,
    'an expression decides the value': `locals {\n  force = true\n}\n\n${nodes('', '  force_update_version = local.force || false\n')}`,
    'a dynamic block makes it': template(
      '  dynamic "metadata_options" {\n    for_each = [1]\n    content {\n      http_tokens = "optional"\n      http_put_response_hop_limit = 2\n    }\n  }\n',
    ),
    'the text makes instances that do not need it': nodes(
      '',
      '  for_each = { a = true, b = false }\n  force_update_version = each.value\n',
    ),
    'it is put together': nodes('', '  force_update_version = tobool("${true}")\n'),
  };
  const folder = workspace(
    Object.fromEntries(Object.values(obstacles).map((text, index) => [`${index}/main.tf`, text])),
  );

  it.each(Object.keys(obstacles).map((name, index) => [name, index] as const))('%s', async (_, index) => {
    const path = join(folder, String(index));
    const result = checkPaths([path]);
    const repairable = result.findings.filter(({ rule }) => ['imds-v1', 'node-group-force-update'].includes(rule));
    expect(repairable.filter(({ repairs }) => repairs !== undefined)).not.toHaveLength(0);
    const { refused } = await fixFiles(result, {
      check: (texts) => Promise.resolve(checkPaths([path], {}, { texts })),
      isUnsafe: true,
      isDryRun: true,
      write: () => Promise.reject(new Error('nothing is written')),
      whyNotWritten: () => undefined,
    });
    const offers = new Offers(result);
    const left = new Set(refused.map(({ finding }) => finding));
    expect(repairable.filter((finding) => left.has(finding))).not.toHaveLength(0);
    expect(repairable.filter((finding) => left.has(finding) && offers.of(finding) !== undefined)).toHaveLength(0);
  });
});

describe('edits of a text', () => {
  const texts = fc
    .array(fc.constantFrom('a', 'bc', '\n', '\r\n', '  x: 1\n', 'é', '\u{1f600}'), { maxLength: 30 })
    .map((parts) => parts.join(''));
  const editsOf = (length: number) =>
    fc
      .uniqueArray(fc.nat({ max: length }), { maxLength: 6 })
      .chain((offsets) =>
        fc.tuple(
          fc.constant(offsets.toSorted((one, other) => one - other)),
          fc.array(fc.constantFrom('', 'new', 'y\n', '\n  z: 2'), { minLength: 3, maxLength: 3 }),
        ),
      )
      .map(([offsets, words]) =>
        offsets.flatMap((start, index): TextEdit[] => {
          const end = offsets[index + 1];
          return index % 2 === 0 && end !== undefined ? [{ start, end, text: words[index / 2] ?? '' }] : [];
        }),
      );

  it('one after the other are edits of the first text', () => {
    fc.assert(
      fc.property(
        texts.chain((text) =>
          editsOf(text.length).chain((first) =>
            fc.tuple(fc.constant(text), fc.constant(first), editsOf(applyEdits(text, first).length)),
          ),
        ),
        ([text, first, then]) => {
          expect(applyEdits(text, inSuccession(first, then))).toBe(applyEdits(applyEdits(text, first), then));
        },
      ),
    );
  });

  it('told by whole lines do the same', () => {
    fc.assert(
      fc.property(
        texts.chain((text) => fc.tuple(fc.constant(text), editsOf(text.length))),
        ([text, edits]) => {
          const told = new EditPlaces('f', text, new Secrets()).of(edits) ?? [];
          expect(applied(text, [told])).toBe(applyEdits(text, edits));
        },
      ),
    );
  });
});

describe('a file with many findings', () => {
  const group = (number: number) => ({
    Type: 'AWS::EKS::Nodegroup',
    Properties: {
      ClusterName: `c${number}`,
      NodeRole: 'arn:aws:iam::111122223333:role/nodes',
      Subnets: ['subnet-1'],
      AmiType: 'AL2023_x86_64_STANDARD',
    },
  });
  const groups = Array.from({ length: 700 }, (_, index) => [`G${index}`, group(index)] as const);
  const folder = workspace({ 'a.json': JSON.stringify({ Resources: Object.fromEntries(groups) }, undefined, 1) });

  itWithAll('costs time that grows with their number', () => {
    const result = checkPaths([join(folder, 'a.json')]);
    const findings = result.findings.filter(({ rule, verdict }) => rule === 'imds-hop-limit' && verdict === 'fail');
    const elapsed = cpuTime();
    const offers = new Offers(result);
    expect(findings.filter((finding) => (offers.withEdits(finding)?.edits?.length ?? 0) > 0)).toHaveLength(
      groups.length,
    );
    expect(elapsed()).toBeLessThan(6000);
  });
});

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { checkTemplates, type CheckResult } from '../../lib/check';
import type { Diagnostic, Finding } from '../../lib/engine';
import { EksModel, Unknown, type EksResource, type Value } from '../../lib/eks';
import { drawingOf } from '../../lib/reports/html/graph';
import { cardOf, cardsOf, type Card } from '../../lib/reports/html/card';
import { drawn } from '../../lib/reports/html/drawing';
import { fold } from '../../lib/reports/html/fold';
import { layoutOf } from '../../lib/reports/html/layout';
import { Marks } from '../../lib/reports/html/marks';
import { fit } from '../../lib/reports/html/measure';
import { givenName, ofAddress } from '../../lib/reports/html/names';
import { expectGolden } from './golden';
import { findingOn, resourceAt, resultOf } from './hand-made';
import {
  addon,
  cardTitles,
  cluster,
  elementsOf,
  found,
  inClass,
  nodeGroup,
  pageOf,
  readPage,
  ref,
  resultFor,
  role,
  small,
  textOf,
} from './html-page';
import type { Element } from './xml';
import { files, hopLimit, many, sample, suppressed } from './sample';
import { itWithAll, runs } from '../share';

const marked = resultFor(small, (model) => [
  ...found(model.launchTemplates[0]),
  ...found(model.launchTemplates[0], { severity: 'warning', rule: 'imds-v1' }),
  ...found(model.addons[0], { severity: 'info', rule: 'addon-version' }),
  ...found(model.nodeGroups[1], { verdict: 'unverifiable', severity: 'info', messageId: undefined }),
  ...found(model.addons[1], { suppressed: { reason: 'known' } }),
]);

/** Style and its hash change with every brush stroke. */
const withoutStyle = (page: string) =>
  page.replace(/<style>[^<]*<\/style>/, '<style></style>').replace(/sha256-[\w+/=]+/, 'sha256-');

const isAnchor = ({ attributes }: Element) => attributes['id']?.startsWith('f-') === true;

describe('the HTML report', () => {
  it('looks like the golden file', () => {
    expectGolden('report.html', withoutStyle(pageOf(sample, files)));
  });

  it('draws like the golden file', () => {
    const [drawing = ''] = /<svg[^]*<\/details>/.exec(pageOf(marked)) ?? [];
    expectGolden('drawing.svg', drawing);
  });

  it('lists everything, whatever the options of the text report are', () => {
    const page = elementsOf(
      readPage(
        pageOf(sample, files, { list: { warning: false, info: false, unverifiable: false, suppressed: false } }),
      ),
    );
    expect(page.filter(isAnchor)).toHaveLength(sample.findings.length);
    expect(page.find(({ attributes }) => attributes['id'] === 'accepted')).toBeDefined();
  });

  it('says so when there is nothing to say', () => {
    const text = textOf(readPage(pageOf(resultOf([]))));
    expect(text).toContain('No findings.');
    expect(text).not.toContain('What the input declares');
  });

  it('says first that not everything was checked', () => {
    expect(pageOf(sample, files)).toMatch(
      /<main>\s*<div class="panel alert"><p class="verdict"><strong>Not everything was checked/,
    );
    expect(pageOf(resultOf([], sample.diagnostics))).not.toContain('No findings.');
  });

  it('tells the day that it is given, and asks no clock', () => {
    expect(pageOf(sample, files)).toContain('<time datetime="2026-11-21">');
    const day = pageOf(sample, files, { date: '1999-01-02' });
    expect(day.replaceAll('1999-01-02', '2026-11-21')).toBe(pageOf(sample, files));
  });

  it('allows itself one style sheet and nothing else', () => {
    const page = pageOf(marked);
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = elementsOf(readPage(page)).find(
      ({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy',
    )?.attributes['content'];
    expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
  });

  it('loads nothing: addresses of the web stand in links to documentation only', () => {
    for (const page of [pageOf(sample, files), pageOf(marked)]) {
      for (const { name, attributes } of elementsOf(readPage(page))) {
        expect([
          'script',
          'img',
          'link',
          'iframe',
          'object',
          'embed',
          'base',
          'image',
          'use',
          'foreignObject',
          'form',
        ]).not.toContain(name);
        for (const [key, value] of Object.entries(attributes)) {
          expect(key).not.toMatch(/^on|^style$|^src/);
          if (key === 'href') expect(value).toMatch(/^(?:#|https?:\/\/)/);
          else expect(value).not.toMatch(/https?:|url\(/);
        }
      }
      expect(page).not.toMatch(/url\(|@import|@font-face/);
    }
  });

  it('has an anchor for each of those that say the same', () => {
    const findings = ['a', 'b', 'c'].map((stack) =>
      findingOn(resourceAt(hopLimit.source, { id: 'aws_launch_template.x', frontEnd: 'terraform', stack }), {
        message: 'Template aws_launch_template.x is wrong.',
      }),
    );
    const elements = elementsOf(readPage(pageOf(resultOf(findings), files)));
    expect(elements.filter(inClass('finding'))).toHaveLength(1);
    expect(elements.filter(isAnchor)).toHaveLength(3);
  });

  it('has no empty lines where a finding has no fix, and names what stands for a path', () => {
    const open = findingOn(resourceAt(hopLimit.source, { id: 'One', path: 'App/One' }), {
      verdict: 'unverifiable',
      severity: 'info',
      fix: '',
    });
    const page = pageOf(
      resultOf([
        open,
        { ...suppressed, suppressed: { reason: 'meant' } },
        findingOn(resourceAt(hopLimit.source, { id: 'Two' }), { fix: '', fixCode: undefined }),
      ]),
      files,
    );
    expect(page).not.toContain('<p class="soft"></p>');
    expect(page).not.toContain('<b>Fix</b>');
    expect(page).not.toContain('(until');
    expect(page).toContain('<strong title="App/One">One</strong>');
    expect(page).toContain('<strong title="Two">Two</strong> <span class="soft">AWS::EC2::LaunchTemplate');
  });

  it('makes no link of an address that is none', () => {
    const page = pageOf(
      resultOf([
        { ...hopLimit, docs: 'javascript:alert(1)' },
        { ...hopLimit, rule: 'other', docs: 'https://x.example/ " onclick="y' },
      ]),
    );
    expect(page).not.toContain('javascript:');
    expect(
      elementsOf(readPage(page)).filter(({ attributes }) => attributes['href']?.startsWith('http') === true),
    ).toEqual([]);
  });

  it('has each id once, and each link leads to one', () => {
    for (const page of [pageOf(sample, files), pageOf(marked), pageOf(many(2600), files)]) {
      const elements = elementsOf(readPage(page));
      const ids = elements.flatMap(({ attributes }) => attributes['id'] ?? []);
      expect(ids).toHaveLength(new Set(ids).size);
      const known = new Set(ids);
      const links = elements
        .flatMap(({ attributes }) => attributes['href'] ?? [])
        .filter((link) => link.startsWith('#'));
      expect(links.filter((link) => !known.has(link.slice(1)))).toEqual([]);
    }
  });

  it('lists no more than a browser shows, the worst first, and says how many are left', () => {
    const result = many(2600);
    const page = readPage(pageOf(result, files));
    const anchors = (elements: readonly Element[]) => elements.flatMap(elementsOf).filter(isAnchor);
    expect(anchors([page])).toHaveLength(2000);
    expect(textOf(page)).toContain('600 more had no room');
    const errors = elementsOf(page).filter((element) => inClass('entry')(element) && inClass('error')(element));
    expect(anchors(errors)).toHaveLength(result.summary.error);
  });

  it('lets nothing of the input become markup', () => {
    const evil = fc.string({
      unit: fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '`',
        '<script>',
        '</style>',
        ']]>',
        '-->',
        '\u202e',
        '\u0000',
        '\ud800',
        '\n',
        '{',
        '${',
        'a',
        ' onload=',
        '&lt;',
      ),
      maxLength: 12,
    });
    fc.assert(
      fc.property(evil, evil, evil, (name, message, code) => {
        const resources = {
          ...small,
          [`G${name}`]: nodeGroup('Main', { NodegroupName: name, AmiType: message }),
          [`A${name}`]: addon('Main', code),
        };
        const result = resultFor(resources, (model) =>
          model.nodeGroups.flatMap((group) => [
            ...found(group, {
              rule: name,
              message,
              fix: code,
              fixCode: code,
              docs: message,
              related: [{ message: name, source: group.source }],
            }),
            ...found(group, { message, suppressed: { reason: name, until: code } }),
          ]),
        );
        const plain = resultFor(
          { ...small, Gx: nodeGroup('Main', { NodegroupName: 'x', AmiType: 'x' }), Ax: addon('Main', 'x') },
          () => [],
        );
        const page = pageOf(
          { ...result, diagnostics: [{ severity: 'error', message, file: name, line: 1, column: 1 }] },
          { 'cluster.json': `${code}\n${message}\n${name}` },
          { rules: [] },
        );
        const elements = elementsOf(readPage(page));
        expect(
          elements.flatMap(({ attributes }) => Object.keys(attributes)).filter((key) => key.startsWith('on')),
        ).toEqual([]);
        const names = new Set(elements.map((element) => element.name));
        const allowed = new Set(
          [...elementsOf(readPage(pageOf(sample, files))), ...elementsOf(readPage(pageOf(plain)))].map(
            (element) => element.name,
          ),
        );
        expect([...names].filter((element) => !allowed.has(element))).toEqual([]);
        expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/);
      }),
      { numRuns: runs(40) },
    );
  });
});

describe('what to do', () => {
  const at = (id: string, stack = 'app') => resourceAt(hopLimit.source, { id, frontEnd: 'terraform', stack });
  const entriesOf = (findings: readonly Finding[]) =>
    elementsOf(readPage(pageOf(resultOf(findings), files))).filter(inClass('entry'));
  const says = (id: string, values: Partial<Finding> = {}) =>
    findingOn(at(id), { message: `Template ${id} is wrong.`, ...values });

  it('comes before the drawing', () => {
    const page = pageOf(marked);
    expect(page.indexOf('<section id="findings">')).toBeLessThan(page.indexOf('<svg'));
    expect(page.indexOf('<section id="findings">')).toBeGreaterThan(0);
  });

  it('tells once what one fix mends, errors first, with the other resources below by the names that people gave', () => {
    const gpu = 'module.eks.module.eks_managed_node_group["gpu"].aws_launch_template.this[0]';
    const entries = entriesOf([
      says('aws_launch_template.a', { rule: 'later', severity: 'warning' }),
      says('aws_launch_template.b'),
      says(gpu),
      says('aws_launch_template.c', { message: 'Template aws_launch_template.c is wrong, by its default.' }),
    ]);
    expect(entries).toHaveLength(2);
    expect(entries.map((entry) => /error|warning/.exec(textOf(entry))?.[0])).toEqual(['error', 'warning']);
    const [first] = entries;
    const [text, other] = entries.map(textOf);
    expect(text).toContain('3 findings');
    expect(text).toContain('The same holds for:');
    expect(text).toContain('by its default');
    expect(other).not.toContain('findings');
    const names = elementsOf(first as Element).filter(
      ({ name, attributes }) => name === 'span' && 'title' in attributes,
    );
    expect(names.map((element) => [textOf(element), element.attributes['title']])).toEqual([
      ['gpu', gpu],
      ['c', 'aws_launch_template.c'],
    ]);
  });

  it('has a fix that one click selects, and shows it once', () => {
    const entries = entriesOf([
      says('aws_launch_template.a', { messageId: 'one', fix: 'Set it.', fixCode: 'a = 1\n' }),
      says('aws_launch_template.b', { messageId: 'two', fix: 'Set it.', fixCode: 'a = 1\n' }),
    ]);
    const codes = entries.map((entry) => elementsOf(entry).filter(inClass('code')).map(textOf));
    expect(codes).toEqual([['a = 1'], []]);
    const [first, second] = entries;
    expect(elementsOf(second as Element).map(({ attributes }) => attributes['href'])).toContain(
      `#${first?.attributes['id'] ?? ''}`,
    );
    expect(pageOf(resultOf([says('a')]), files)).toMatch(/\.code\{[^}]*user-select:all/);
  });

  it('folds places beyond the first ten, and loses none', () => {
    const line = (index: number) => ({
      ...hopLimit.source,
      locate: () => ({ file: 'a.tf', line: index + 1, column: 1 }),
    });
    const findings = Array.from({ length: 14 }, (_, index) =>
      findingOn(at(`aws_launch_template.t${index}`), {
        message: `Template aws_launch_template.t${index} is wrong.`,
        source: line(index),
      }),
    );
    const [entry] = entriesOf(findings);
    const text = textOf(entry as Element);
    expect(text).toContain('and at 3 more places');
    for (let index = 1; index < 14; index++) expect(text).toContain(`a.tf:${index + 1}:1`);
  });

  it('keeps apart what no root module enables', () => {
    const findings = [
      findingOn({ ...at('aws_launch_template.off'), isNotEnabled: true }, { message: 'Off.' }),
      says('aws_launch_template.on', { severity: 'info' }),
    ];
    const page = textOf(readPage(pageOf(resultOf(findings), files)));
    expect(page.indexOf('aws_launch_template.on is wrong')).toBeLessThan(
      page.indexOf('In modules that no root module enables'),
    );
    expect(page.indexOf('Off.')).toBeGreaterThan(page.indexOf('In modules that no root module enables'));
  });
});

describe('the names that people gave', () => {
  const named = (values: Parameters<typeof resourceAt>[1]) => givenName(resourceAt(hopLimit.source, values));

  it.each([
    ['module.eks.module.eks_managed_node_group["gpu"].aws_eks_node_group.this[0]', 'gpu'],
    ['module.eks.aws_eks_node_group.this["gpu"]', 'gpu'],
    ['module.eks.aws_eks_cluster.this[0]', 'eks'],
    ['module.external_dns_irsa.aws_iam_role.this[0]', 'external_dns_irsa'],
    ['module.vpc.aws_subnet.private[1]', 'private[1]'],
    ['module.eks["main"].aws_eks_cluster.this', 'eks'],
    ['aws_eks_cluster.platform', 'platform'],
    ['aws_eks_cluster.this', 'this'],
    ['data.aws_iam_role.nodes', 'nodes'],
    ['NodeGroup', 'NodeGroup'],
    ['kube-system/aws-node', 'kube-system/aws-node'],
  ])('of %s is %s', (id, expected) => {
    expect(named({ id, type: id.includes('eks_cluster') ? 'aws_eks_cluster' : 'aws_iam_role' })).toBe(expected);
  });

  it.each([
    ['App/Workers/Resource', 'Workers'],
    ['App/Platform/Workers/NodeRole/Resource', 'Workers/NodeRole'],
    ['App/Cluster/Resource/Resource/Default', 'Cluster'],
    [`App/${'Long'.repeat(9)}/NodeRole`, 'NodeRole'],
    ['Resource', 'Resource'],
  ])('of the construct %s is %s', (path, expected) => {
    expect(named({ id: 'Id', path })).toBe(expected);
  });

  it('of an inline policy is its label, or what it is called', () => {
    expect(ofAddress('module.ebs_csi_irsa.aws_iam_role_policy.ebs_csi[0]')).toBe('ebs_csi[0]');
    expect(ofAddress('Logs.v2')).toBe('Logs.v2');
  });

  it('is the prefix where Terraform made a name of it', () => {
    const { nodeGroups } = resultFor({
      ...small,
      Made: nodeGroup('Main', { NodegroupName: 'system-20241024122838621000000010' }),
    }).model;
    expect(nodeGroups.map((group) => givenName(group, group.name))).toContain('system');
  });
});

describe('the overview', () => {
  const rowsOf = (page: string) =>
    elementsOf(readPage(page))
      .filter(({ name }) => name === 'tr')
      .map(({ children }) => children.map((cell) => textOf(cell).trim()).join(' | '));
  const of = (rule: string, severity: 'error' | 'warning' | 'info', index = 0) =>
    findingOn(resourceAt(hopLimit.source, { id: `${rule}${index}` }), { rule, severity, message: `${rule} ${index}.` });

  it('lists rules by their worst finding, then by the number of findings, and links to the worst', () => {
    const findings = [
      of('few', 'warning'),
      of('many', 'warning'),
      of('many', 'info', 1),
      of('bad', 'info'),
      of('bad', 'error', 1),
      of('mild', 'info'),
      findingOn(hopLimit.resource, { rule: 'open', verdict: 'unverifiable', severity: 'info' }),
    ];
    // A few entries are an overview of themselves.
    expect(pageOf(resultOf(findings), files)).not.toContain('By rule');
    const others = Array.from({ length: 9 }, (_, index) => of(`other-${index}`, 'info'));
    const page = pageOf(resultOf([...findings, ...others]), files);
    expect(rowsOf(page).slice(0, 5)).toEqual([
      'Severity | Rule | What must hold | Findings',
      'error | bad |  | 1 error, 1 info',
      'warning | many |  | 1 warning, 1 info',
      'warning | few |  | 1 warning',
      'info | mild |  | 1 info',
    ]);
    const elements = elementsOf(readPage(page));
    const links = elements
      .filter(inClass('rules'))
      .flatMap(elementsOf)
      .filter(
        ({ name, attributes }) =>
          name === 'a' && attributes['href']?.startsWith('#f-') === true && attributes['class'] === undefined,
      );
    const targets = links
      .map((link) => elements.find(({ attributes }) => attributes['id'] === link.attributes['href']?.slice(1)))
      .map((element) => element && textOf(element));
    expect(targets.slice(0, 4).map((text) => /[a-z]+ \d\./.exec(text ?? '')?.[0])).toEqual([
      'bad 1.',
      'many 0.',
      'few 0.',
      'mild 0.',
    ]);
  });

  it('names what was read, and folds it where it is much', () => {
    const inputs = (number: number) =>
      Array.from({ length: number }, (_, index) => ({
        path: `./a${index}.tf`,
        kind: index === 0 ? 'terraform-plan' : 'own-kind',
        resources: index,
      })) as unknown as CheckResult['inputs'];
    const page = pageOf({ ...resultOf([]), inputs: inputs(12) });
    expect(rowsOf(page).slice(0, 3)).toEqual([
      'Input | Kind | Resources',
      'a0.tf | Terraform plan | 0',
      'a1.tf | own-kind | 1',
    ]);
    expect(page).toContain('12 inputs with 66 resources, checked on <time');
    expect(page).not.toContain('<summary>');
    expect(pageOf({ ...resultOf([]), inputs: inputs(13) })).toContain('<summary>13 inputs</summary>');
    expect(rowsOf(pageOf({ ...resultOf([]), inputs: [] }))).toEqual([]);
    expect(pageOf({ ...resultOf([]), asOf: '2026-01-02' })).toContain('checked as of <time datetime="2026-01-02">');
    expect(pageOf(resultOf([]), {}, { date: undefined })).toContain('checked by eks-guardrails 1.2.3');
  });

  it('counts in tiles, which lead to what is listed', () => {
    const tiles = (findings: readonly Finding[]) =>
      Array.from(
        pageOf(resultOf(findings), files).matchAll(/<li class="(\w+)">(?:<a href="([^"]*)">)?<b>(\d+)<\/b> ([^<]*)/g),
        ([, style, href, number, label]) => `${style ?? ''}: ${number ?? ''} ${label ?? ''} ${href ?? ''}`.trim(),
      );
    expect(tiles([])).toEqual([
      'none: 0 errors',
      'none: 0 warnings',
      'none: 0 info',
      'none: 0 not verifiable',
      'none: 0 accepted',
    ]);
    const open = findingOn(hopLimit.resource, { rule: 'open', verdict: 'unverifiable', severity: 'info' });
    expect(tiles([of('a', 'error'), of('a', 'warning', 1), of('a', 'warning', 2), open, suppressed])).toEqual([
      'error: 1 error #findings',
      'warning: 2 warnings #findings',
      'none: 0 info',
      'unverifiable: 1 not verifiable #unverifiable',
      'suppressed: 1 accepted #accepted',
    ]);
  });

  it('says what makes it incomplete', () => {
    const problem = (severity: 'error' | 'warning', index: number, values: Partial<Diagnostic> = {}): Diagnostic => ({
      severity,
      message: `problem ${index}`,
      file: 'a.tf',
      line: index,
      column: 1,
      ...values,
    });
    const alerts = (diagnostics: readonly Diagnostic[], findings: readonly Finding[] = []) =>
      Array.from(pageOf(resultOf(findings, diagnostics)).matchAll(/<p class="verdict">(.*?)<\/p>/g), ([, text = '']) =>
        text.replaceAll(/<[^>]*>/g, ''),
      );
    expect(alerts([problem('error', 1)])).toEqual([
      'Not everything was checked: there is a problem with the input. See which',
    ]);
    expect(alerts([problem('error', 1), problem('error', 2), problem('warning', 3)])).toEqual([
      'Not everything was checked: there are 2 problems with the input. See which',
    ]);
    expect(alerts([problem('warning', 1, { skipped: { what: 'link', count: 2 } })])).toEqual([
      'Not checked: 2 links. See which',
    ]);
    expect(alerts([problem('warning', 1)])).toEqual(['No findings.']);
    expect(alerts([], [of('a', 'info')])).toEqual([]);
    expect(alerts([], [suppressed])).toEqual(['No findings.']);
    const page = readPage(
      pageOf(
        resultOf(
          [],
          [
            ...Array.from({ length: 500 }, (_, index) => problem('warning', index + 1)),
            problem('error', 501),
            problem('error', 502),
          ],
        ),
      ),
    );
    const panels = elementsOf(page)
      .filter(({ attributes }) => attributes['class'] === 'panel alert' || attributes['class'] === 'panel alert doubt')
      .slice(1);
    expect(panels.map((panel) => /problem \d+/.exec(textOf(panel))?.[0]).slice(0, 3)).toEqual([
      'problem 501',
      'problem 502',
      'problem 1',
    ]);
    expect(panels).toHaveLength(500);
    expect(textOf(page)).toContain('and 2 more problems');
  });
});

describe('the drawing', () => {
  const draw = (result: ReturnType<typeof resultFor>) => drawingOf(result.model, new Marks(result.findings, []));

  it('holds each cluster, node group and add-on once', () => {
    const titles = cardTitles(readPage(pageOf(marked)));
    expect(titles.filter((title) => /^(?:Cluster|Node group|Add-on) /.test(title)).sort()).toEqual([
      'Add-on coredns',
      'Add-on vpc-cni',
      'Cluster elsewhere',
      'Cluster main',
      'Node group Batch',
      'Node group Imported',
      'Node group general',
    ]);
  });

  it('draws more of everything like the golden file', () => {
    const several = (count: number, make: (index: number) => readonly [name: string, resource: object]) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
    const resources = {
      ...small,
      ...several(20, (index) => [
        `Addon${index}`,
        addon(
          'Main',
          `addon-${index}`,
          index < 2
            ? { ServiceAccountRoleArn: `arn:aws:iam::111122223333:role/addon-${index}` }
            : { AddonVersion: index % 2 === 0 ? 'v1' : 'v2' },
        ),
      ]),
      ...several(16, (index) => [
        `Group${index}`,
        nodeGroup('Main', {
          AmiType: `TYPE_${index % 8}`,
          Subnets: index < 8 ? [ref('SubnetA')] : [`subnet-${index}`],
          LaunchTemplate: index === 3 ? { Id: 'lt-0123', Version: '1' } : undefined,
        }),
      ]),
      ...several(3, (index) => [
        `Profile${index}`,
        {
          Type: 'AWS::EKS::FargateProfile',
          Properties: {
            ClusterName: ref('Main'),
            FargateProfileName: `profile-${index}`,
            PodExecutionRoleArn: 'arn:aws:iam::111122223333:role/pods',
            Selectors: [{ Namespace: 'a' }],
          },
        },
      ]),
      ...several(12, (index) => [
        `Identity${index}`,
        {
          Type: 'AWS::EKS::PodIdentityAssociation',
          Properties: {
            ClusterName: ref('Main'),
            Namespace: 'team',
            ServiceAccount: `app-${index}`,
            RoleArn: { 'Fn::GetAtt': ['CniRole', 'Arn'] },
          },
        },
      ]),
      ...several(10, (index) => [
        `Entry${index}`,
        {
          Type: 'AWS::EKS::AccessEntry',
          Properties: { ClusterName: ref('Main'), PrincipalArn: `arn:aws:iam::111122223333:role/r${index}` },
        },
      ]),
      ...several(8, (index) => [
        `Unused${index}`,
        {
          Type: 'AWS::EC2::LaunchTemplate',
          Properties: {
            LaunchTemplateName: `unused-${index}`,
            LaunchTemplateData:
              index === 1
                ? { ImageId: { 'Fn::ImportValue': 'image' }, UserData: 'IyEv', InstanceType: 'm6i.large' }
                : {},
          },
        },
      ]),
      EightRole: role(...Array.from({ length: 8 }, (_, index) => `Policy${index}`)),
      ...several(2, (index) => [
        `Wall${index}`,
        { Type: 'AWS::EC2::SecurityGroup', Properties: { GroupDescription: 'x', VpcId: 'vpc-1' } },
      ]),
      ...several(10, (index) => [
        `Net${index}`,
        {
          Type: 'AWS::EC2::Subnet',
          Properties: { CidrBlock: `10.1.${index}.0/24`, AvailabilityZone: 'eu-west-1a', VpcId: 'vpc-1' },
        },
      ]),
      Wide: nodeGroup('Main', {
        NodegroupName: 'wide',
        Subnets: Array.from({ length: 10 }, (_, index) => ref(`Net${index}`)),
        NodeRole: { 'Fn::GetAtt': ['BigRole', 'Arn'] },
      }),
      BigRole: role(...Array.from({ length: 9 }, (_, index) => `Policy${index}`)),
      IdleRole: role('ReadOnlyAccess'),
      Mixed: nodeGroup('Main', {
        NodegroupName: 'mixed',
        Subnets: [ref('SubnetB'), 'subnet-mixed-a', 'subnet-mixed-b'],
        DiskSize: 50,
        NodeRole: { 'Fn::GetAtt': ['EightRole', 'Arn'] },
      }),
    };
    const result = resultFor(resources, (model) => [
      ...model.resources
        .filter(({ kind }) => kind === 'access-entry')
        .slice(1, 3)
        .flatMap((entry) => found(entry, { severity: 'warning' })),
      ...found(model.launchTemplates[2], { severity: 'info' }),
      ...found(model.addons.at(-1)),
      ...found(model.addons.at(-1), { verdict: 'unverifiable', severity: 'info' }),
      ...found(model.resources.filter(({ kind }) => kind === 'subnet')[4], { severity: 'warning' }),
      ...found(model.nodeGroups.at(-2), { verdict: 'unverifiable', severity: 'info' }),
      ...found(model.nodeGroups.at(-1), { severity: 'warning' }),
    ]);
    const drawing = draw(result);
    const cardText = ({ kind, type, title, lines, rows, mark, isOutside, count }: Card) =>
      [
        `${type}: ${title} (${kind}${count === 1 ? '' : `, ${count}`}${isOutside ? ', outside' : ''})${mark === undefined ? '' : ` ${mark.label}: ${mark.text}`}`,
        ...lines.map((line) => `    ${line}`),
        ...rows.map(({ text, mark: own }) => `    - ${text}${own === undefined ? '' : ` ${own.text}`}`),
      ].join('\n');
    const text = [
      ...drawing.boxes.flatMap(({ head, sections }) => [
        cardText(head),
        ...sections.flatMap(({ heading, cards }) => [`  ${heading}`, ...cards.map(cardText)]),
      ]),
      'Left',
      ...drawing.left.map(cardText),
      'Right',
      ...drawing.right.map(cardText),
      'Edges',
      ...drawing.edges.map(({ from, to }) => `${from.title} > ${to.title}`),
      '',
    ].join('\n');
    expectGolden('drawing.txt', text);
  });

  it('says what is known only at deployment, and why', () => {
    const result = resultFor(small);
    const later = (reason: string) => new Unknown(reason, hopLimit.source);
    const withValues = (resource: EksResource, values: Readonly<Record<string, Value<unknown>>>) =>
      Object.create(
        resource,
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
      ) as EksResource;
    const resources = result.model.resources.map((resource) => {
      if (resource.kind === 'addon')
        return withValues(resource, { version: later('parameter Version has no default') });
      if (resource.kind !== 'node-group') return resource;
      return withValues(resource, { minSize: later('it is the output of a stack'), amiType: later('it is looked up') });
    });
    const page = pageOf({ ...result, model: new EksModel(resources) });
    // In a line of its own, so that it isn't cut in the middle.
    expect(page).toContain('>version known only at deployment<');
    expect(page).toContain('version is known only at deployment: parameter Version has no default');
    expect(page).toMatch(/>AMI type known only at deployment/);
    expect(page).toContain('AMI type is known only at deployment: it is looked up');
    expect(page).toContain('? to 9 nodes');
    expect(page).toContain('minimum size is known only at deployment: it is the output of a stack');
    expect(page).not.toContain('decided later');
  });

  it('ties what uses to what is used', () => {
    const edges = draw(marked)
      .edges.map(({ from, to }) => `${from.title} > ${to.title}`)
      .sort();
    expect(edges).toEqual([
      'Batch > 2 subnets',
      'Batch > NodeRole',
      'Imported > 1 subnet',
      'Imported > nodes',
      'general > 2 subnets',
      'general > NodeRole',
      'general > Template',
      'main > ClusterRole',
      'vpc-cni > CniRole',
    ]);
  });

  it('marks findings where they sit, with a link to the worst', () => {
    const page = elementsOf(readPage(pageOf(marked)));
    const links = page
      .filter((element) => element.name === 'a' && inClass('mark')(element))
      .map(({ attributes }) => attributes);
    expect(links.map((attributes) => attributes['aria-label']).sort()).toEqual([
      'Add-on vpc-cni: 1 info',
      'Launch template Template: 1 error, 1 warning',
      'Node group Batch: 1 unverifiable',
    ]);
    const template = links.find((attributes) => attributes['aria-label']?.startsWith('Launch') === true);
    const target = page.find(({ attributes }) => `#${attributes['id'] ?? ''}` === template?.['href']);
    expect(target === undefined ? false : inClass('error')(target)).toBe(true);
  });

  it('lights up what a card is tied to, unless there are too many cards', () => {
    const drawing = draw(marked);
    const tied = new Set(drawing.edges.flatMap(({ from, to }) => [from, to]));
    const ids = Array.from(drawn(drawing)?.css.matchAll(/:has\(#([\w-]+):is/g) ?? [], ([, id]) => id);
    expect(new Set(ids).size).toBe(tied.size);
    expect(ids.filter((id) => !pageOf(marked).includes(`id="${id ?? ''}"`))).toEqual([]);
    const cssOf = (number: number) => {
      const left = Array.from({ length: number }, (_, index) =>
        cardOf({ kind: 'template', type: 'Launch template', title: `t${index}` }),
      );
      const [from, to] = left;
      return from === undefined || to === undefined
        ? undefined
        : drawn({ left, right: [], boxes: [], edges: [{ from, to }] })?.css;
    };
    expect(cssOf(150)).toMatch(/#c0:is.*\n.*#c1:is/);
    expect(cssOf(151)).toBe('');
  });

  it('has a title, a description, and everything once more as text', () => {
    const page = elementsOf(readPage(pageOf(marked)));
    const svg = page.find(({ name }) => name === 'svg');
    const ids = (svg?.attributes['aria-labelledby'] ?? '').split(' ');
    expect(ids.map((id) => page.find(({ attributes }) => attributes['id'] === id)?.name)).toEqual(['title', 'desc']);
    const text = page.filter(inClass('as-text')).map(textOf).join();
    for (const card of cardsOf(draw(marked))) expect(text).toContain(card.title);
    expect(text).toContain('10.0.1.0/24');
    const bare = elementsOf(readPage(pageOf(resultFor({ Bare: cluster('bare') }))));
    for (const list of [...page, ...bare].filter(({ name }) => name === 'ul')) expect(textOf(list).trim()).not.toBe('');
  });

  it('is the same for the same input', () => {
    expect(pageOf(resultFor(small))).toBe(pageOf(resultFor(small)));
    expect(layoutOf(draw(resultFor(small)))).toEqual(layoutOf(draw(resultFor(small))));
  });

  it('draws nothing for nothing', () => {
    expect(cardsOf(drawingOf(new EksModel([]), new Marks([], [])))).toEqual([]);
  });

  const groups = (
    count: number,
    of: string,
    values: (index: number) => Readonly<Record<string, unknown>> = () => ({}),
  ) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`G${of}x${index}`, nodeGroup(of, values(index))]));
  const counted = (drawing: ReturnType<typeof draw>, type: RegExp) =>
    drawing.boxes
      .flatMap(({ sections }) => sections.flatMap(({ cards }) => cards))
      .filter((card) => type.test(card.type))
      .reduce((sum, card) => sum + card.count, 0);

  it('counts repeated node groups instead of drawing them', () => {
    const drawing = draw(resultFor({ ...small, ...groups(38, 'Main', () => ({ CapacityType: 'SPOT' })) }));
    expect(cardsOf(drawing).map(({ title }) => title)).toContain('and 37 more like GMainx0');
    expect(counted(drawing, /^Node groups?$/)).toBe(41);
  });

  it('counts one node group that has no room as one', () => {
    const alike = (index: number) => ({ AmiType: index < 30 ? 'AL2023_x86_64_STANDARD' : `type ${index}` });
    const drawing = draw(resultFor({ ...small, ...groups(40, 'Main', alike) }));
    expect(
      cardsOf(drawing)
        .filter(({ kind }) => kind === 'more')
        .map(({ type, title }) => [type, title]),
    ).toEqual([
      ['Node groups', 'and 29 more like GMainx0'],
      ['Node group', 'and 1 more node group'],
    ]);
  });

  it('ties what folded node groups use to their number, too', () => {
    const templates = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `LT${index}`,
        { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: { ImageId: `ami-${index % 2}` } } },
      ]),
    );
    const many = groups(80, 'Main', (index) => ({
      LaunchTemplate: { Id: ref(`LT${index % 40}`), Version: '1' },
      AmiType: undefined,
    }));
    const drawing = draw(
      resultFor({ Main: small['Main'], ...templates, ...many }, (model) =>
        model.launchTemplates.slice(20, 30).flatMap((template) => found(template)),
      ),
    );
    const tied = new Set(drawing.edges.map(({ to }) => to));
    expect(drawing.left.filter((card) => card.kind !== 'subnets' && !tied.has(card)).map(({ title }) => title)).toEqual(
      [],
    );
    expect(drawing.edges.map(({ from, to }) => `${from.title} > ${to.title}`)).toContain(
      'and 39 more like GMainx0 > LT22',
    );
    expect(drawing.edges.length).toBeLessThan(50);
  });

  it('draws clusters of one name apart if they are in different places', () => {
    const text = (name: string) => JSON.stringify({ Resources: { [name]: nodeGroup('', { ClusterName: 'main' }) } });
    const boxesOf = (...names: readonly string[]) => {
      const { model } = checkTemplates(names.map((file, index) => ({ file, text: text(`G${index}`) })));
      return drawingOf(model, new Marks([], [])).boxes.map(
        ({ head, sections }) =>
          `${head.type}: ${sections.flatMap(({ cards }) => cards.map(({ title }) => title)).join(' ')}`,
      );
    };
    expect(boxesOf('dev/dev.json', 'prod/prod.json').map((box) => box.replace(/^.*: /, ''))).toEqual(['G0', 'G1']);
    expect(boxesOf('dev/nodes.json', 'dev/batch.json')).toEqual(['Cluster: G0 G1']);
  });

  it.each([
    [1, 1, '1 node'],
    [2, 2, '2 nodes'],
    [0, 1, '0 to 1 nodes'],
  ])('tells the number of nodes between %i and %i', (MinSize, MaxSize, expected) => {
    const drawing = draw(resultFor({ ...small, G: nodeGroup('Main', { ScalingConfig: { MinSize, MaxSize } }) }));
    expect(cardsOf(drawing).find(({ title }) => title === 'G')?.lines).toContain(expected);
  });

  it('tells the IP family of a cluster, where it is written', () => {
    const { Properties } = cluster('six');
    const six = {
      Type: 'AWS::EKS::Cluster',
      Properties: { ...Properties, KubernetesNetworkConfig: { IpFamily: 'ipv6' } },
    };
    const heads = draw(resultFor({ ...small, Six: six })).boxes.map(({ head }) => [head.title, ...head.lines]);
    expect(heads).toContainEqual(['main', 'Kubernetes 1.34']);
    expect(heads).toContainEqual(['six', 'Kubernetes 1.34 · IPv6']);
  });

  it('takes the AMI of a launch template that has one', () => {
    const bare = { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: {} } };
    const group = nodeGroup('Main', { LaunchTemplate: { Id: ref('Bare'), Version: '1' }, AmiType: undefined });
    const cards = cardsOf(draw(resultFor({ ...small, Bare: bare, G: group })));
    const linesOf = (name: string) => cards.find(({ title }) => title === name)?.lines;
    expect(linesOf('general')).toContain('AMI of the launch template');
    expect(linesOf('G')).toContain('AMI type not written');
  });

  it('leaves room for the mark of a row', () => {
    const text = 'a-name-that-takes-more-than-the-width-of-a-card '.repeat(3);
    const mark = { label: 'error' as const, count: 2, text: '2 errors', anchor: 'x' };
    const shown = (rows: Card['rows']) => {
      const head = cardOf({ kind: 'cluster', type: 'Cluster', title: 'main', rows });
      const page = drawn({ left: [], right: [], edges: [], boxes: [{ head, sections: [] }] });
      return Array.from(
        page?.body.text.matchAll(/<text class="line"[^>]*>([^<]*)</g) ?? [],
        ([, row = '']) => row.length,
      );
    };
    const [marked = 0, bare = 0] = shown([
      { text, mark },
      { text, mark: undefined },
    ]);
    expect(marked).toBeGreaterThan(0);
    expect(marked).toBeLessThan(bare - mark.text.length / 2);
  });

  it('keeps the line above a name inside its card', () => {
    const place = 'infra/environments/production/eu-west-1/platform';
    const page = drawn({
      left: [],
      right: [],
      edges: [],
      boxes: [
        {
          head: cardOf({
            kind: 'cluster',
            type: `Cluster in ${place}`,
            title: 'main',
            mark: { label: 'error', count: 2, text: '2 errors', anchor: 'x' },
          }),
          sections: [],
        },
      ],
    });
    const [, shown = ''] = /<text class="type"[^>]*>([^<]*)</.exec(page?.body.text ?? '') ?? [];
    expect(shown).toMatch(/^Cluster in .*….*form$/);
    expect(shown.length).toBeLessThan(42);
  });

  it('goes to paper as text when it is too high to be read there', () => {
    const classOf = (count: number) =>
      /class="canvas[^"]*"/.exec(
        drawn(
          draw(
            resultFor({
              ...small,
              ...groups(count, 'Main', (index) => ({
                AmiType: `type ${index}`,
                NodeRole: `arn:aws:iam::111122223333:role/r${index}`,
              })),
            }),
          ),
        )?.body.text ?? '',
      )?.[0];
    expect(classOf(0)).toBe('class="canvas"');
    expect(classOf(40)).toBe('class="canvas tall"');
  });

  itWithAll('stays small for 2,000 resources, and loses none', () => {
    const clusters = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`C${index}`, cluster(`c${index}`)]));
    const parts = Object.assign(
      {},
      ...Array.from({ length: 100 }, (_, index) =>
        groups(20, `C${index}`, (group) => ({ AmiType: `type ${group % 7}`, NodegroupName: `n${group}` })),
      ),
    ) as Record<string, unknown>;
    const result = resultFor({ ...small, ...clusters, ...parts }, (model) => found(model.clusters[99]));
    const drawing = draw(result);
    expect(cardsOf(drawing).length).toBeLessThan(300);
    expect(drawing.boxes.reduce((sum, { head }) => sum + head.count, 0)).toBe(102);
    const titles = cardsOf(drawing).map(({ title }) => title);
    expect(titles).toContain('c98');
    expect(titles.some((title) => title.startsWith('and 86 more clusters'))).toBe(true);
  });

  it('keeps cards apart', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            template: fc.integer({ min: 0, max: 4 }),
            role: fc.integer({ min: 0, max: 4 }),
            subnets: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
          }),
          { maxLength: 30 },
        ),
        (all) => {
          const parts = Object.fromEntries(
            all.map(({ template, role, subnets }, index) => [
              `G${index}`,
              nodeGroup('Main', {
                LaunchTemplate: { Id: `lt-${template}`, Version: '1' },
                NodeRole: `arn:aws:iam::111122223333:role/r${role}`,
                Subnets: subnets.map((one) => `subnet-${one}`),
                AmiType: `type ${index % 5}`,
              }),
            ]),
          );
          const { cards, height } = layoutOf(draw(resultFor({ ...small, ...parts })));
          const byColumn = new Map<number, { y: number; height: number }[]>();
          for (const card of cards) byColumn.set(card.x, [...(byColumn.get(card.x) ?? []), card]);
          for (const column of byColumn.values()) {
            const sorted = column.sort((a, b) => a.y - b.y);
            sorted.forEach((card, index) => {
              expect(card.y + card.height).toBeLessThanOrEqual(sorted[index + 1]?.y ?? height);
            });
          }
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it('lays cards that would overlap around the mean of where they would lie', () => {
    const high = Array.from({ length: 9 }, () => ({ text: 'a', mark: undefined }));
    const card = (title: string, rows = high) => cardOf({ kind: 'role', type: 'Role', title, rows });
    const users = ['a', 'b', 'c'].map((title) => card(title, []));
    const used = ['d', 'e', 'f'].map((title) => card(title));
    const layout = layoutOf({
      left: [],
      boxes: [{ head: card('first'), sections: [{ heading: 'users', cards: users }] }],
      right: used,
      edges: users.flatMap((from, index) => used.slice(index, index + 1).map((to) => ({ from, to }))),
    });
    const tops = (cards: readonly Card[]) =>
      layout.cards.filter(({ card: one }) => cards.includes(one)).map(({ y }) => y);
    const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    expect(Math.abs(mean(tops(used)) - mean(tops(users)))).toBeLessThanOrEqual(1);
  });

  it('folds without losing or repeating anything', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 2 }))),
        fc.integer({ min: 2, max: 12 }),
        (pairs, most) => {
          const items = pairs.map(([kind, rank], id) => ({ kind, rank, id }));
          const folded = fold(items, { most, signature: ({ kind }) => String(kind), rank: ({ rank }) => rank });
          const ids = folded.flatMap(({ first, others }) => [
            ...(first === undefined ? [] : [first.id]),
            ...others.map(({ id }) => id),
          ]);
          expect(ids.sort((a, b) => a - b)).toEqual(items.map(({ id }) => id));
          expect(
            folded.reduce(
              (sum, { first, others }) => sum + (first === undefined ? 0 : 1) + (others.length > 0 ? 1 : 0),
              0,
            ),
          ).toBeLessThanOrEqual(Math.max(most, items.length <= most ? items.length : 0));
        },
      ),
    );
  });

  it.each([
    ['i', 0.36],
    ['·', 0.36],
    ['m', 0.92],
    ['A', 0.7],
    ['_', 0.7],
    ['a', 0.58],
    ['\u10ff', 0.58],
    ['\u1100', 1.1],
    ['\u1fff', 1.1],
    ['\u2000', 0.9],
    ['\u2e7f', 0.9],
    ['\u2e80', 1.1],
  ])('takes %s for as wide as it is', (character, width) => {
    const text = character.repeat(10);
    expect(fit(text, 100 * width + 0.01, 10)).toBe(text);
    expect(fit(text, 100 * width - 0.01, 10)).toBe(
      `${character.repeat(Math.floor((10 * width - 0.9) / 2 / width))}…${character.repeat(Math.floor((10 * width - 0.9) / 2 / width))}`,
    );
  });

  it('shortens in the middle', () => {
    expect(fit('short', 200, 12)).toBe('short');
    const shortened = fit(`start ${'x'.repeat(1_000_000)} end`, 200, 12);
    expect(shortened).toMatch(/^start x+…x+ end$/);
    expect(shortened.length).toBeLessThan(40);
  });
});

import { render } from '../../lib/reports';
import { alikeByPlace, messageOf } from '../../lib/reports/alike';
import { unjudged, unjudgedText } from '../../lib/reports/unjudged';
import { EksModel, type EksResource } from '../../lib/eks';
import type { Finding } from '../../lib/engine';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';

const hcl =
  'resource "aws_eks_addon" "cni" {\n  addon_name = "vpc-cni"\n}\n\nresource "aws_eks_addon" "dns" {\n  addon_name = "coredns"\n}\n';
const at = (text: string) => placeOf('modules/addons/main.tf', hcl, text);

function addon(id: string, stack = 'live/a', text = 'addon_name = "vpc-cni"'): Finding {
  const resource = resourceAt(at('resource "aws_eks_addon" "cni"'), {
    type: 'aws_eks_addon',
    id,
    stack,
    frontEnd: 'terraform',
  });
  return findingOn(resource, {
    rule: 'addon-version',
    severity: 'warning',
    message: `Add-on ${id} names no version.`,
    fix: 'Pin it.',
    source: at(text),
  });
}

describe('findings that say the same about one place', () => {
  const roots = ['live/a', 'live/b', 'live/c'].map((stack) => addon('module.addons.aws_eks_addon.cni', stack));

  it('are one, with the root modules that share it', () => {
    const [only, ...others] = alikeByPlace(roots, resultOf(roots));
    expect(others).toEqual([]);
    expect(only && messageOf(only)).toBe(
      'Add-on module.addons.aws_eks_addon.cni names no version. The same holds in 3 root modules: live/a, live/b and live/c.',
    );
  });

  it('are one for the instances of a block, with their addresses', () => {
    const instances = ['a', 'b'].map((key) => addon(`aws_eks_addon.this["${key}"]`));
    expect(alikeByPlace(instances, resultOf(instances)).map(messageOf)).toEqual([
      'Add-on aws_eks_addon.this["a"] names no version. The same holds for aws_eks_addon.this["b"].',
    ]);
  });

  it('are one for names of templates, which the model tells', () => {
    const [a, b] = ['Blue', 'Green'].map((id) => {
      const resource = resourceAt(at('resource "aws_eks_addon" "cni"'), {
        id,
        path: `App/${id}/Resource`,
        frontEnd: 'aws-cdk',
        stack: id,
      });
      return findingOn(resource, { message: `Launch template "App/${id}" sets the hop limit to 1.` });
    });
    if (a === undefined || b === undefined) throw new Error('two findings');
    const model = new EksModel([a.resource, b.resource] as unknown as EksResource[]);
    expect(alikeByPlace([a, b], { ...resultOf([a, b]), model })).toHaveLength(1);
    // Without knowing that these are names, other texts are other findings.
    expect(alikeByPlace([a, b], resultOf([a, b]))).toHaveLength(2);
  });

  it.each<[string, Finding]>([
    ['another value in the message', { ...addon('x', 'live/b'), message: 'Add-on x names version v1.' }],
    ['another severity', { ...addon('module.addons.aws_eks_addon.cni', 'live/b'), severity: 'error' }],
    ['another rule', { ...addon('module.addons.aws_eks_addon.cni', 'live/b'), rule: 'vpc-cni-role' }],
    ['another place', addon('module.addons.aws_eks_addon.cni', 'live/b', 'addon_name = "coredns"')],
    [
      'a decision to live with it',
      { ...addon('module.addons.aws_eks_addon.cni', 'live/b'), suppressed: { reason: 'known' } },
    ],
  ])('stay apart with %s', (_, other) => {
    const findings = [addon('module.addons.aws_eks_addon.cni'), other];
    expect(alikeByPlace(findings, resultOf(findings))).toHaveLength(2);
  });

  it('stay apart when one resource says it of several others', () => {
    const role = resourceAt(at('resource "aws_eks_addon" "cni"'), { id: 'aws_iam_role.nodes', frontEnd: 'terraform' });
    const findings = ['a', 'b'].map((name) =>
      findingOn(role, { message: `Role aws_iam_role.nodes lacks what aws_eks_addon.${name} needs.`, about: name }),
    );
    expect(alikeByPlace(findings, resultOf(findings))).toHaveLength(2);
  });

  it('are one block in the text, one row and annotation, and one result with all resources in SARIF; JSON keeps each', () => {
    const result = resultOf(roots);
    const text = render('text', result, contextWith({ 'modules/addons/main.tf': hcl }));
    expect(text.match(/names no version/g)).toHaveLength(1);
    expect(text).toContain('  same  in 3 root modules: live/a, live/b and live/c\n');
    expect(text).toContain('3 warnings in 1 input');
    expect(render('markdown', result, contextWith({})).match(/^\| warning .* and 2 more \| 2 \|$/gm)).toHaveLength(1);
    expect(render('github', result, contextWith({})).match(/^::warning /gm)).toHaveLength(1);
    expect(JSON.parse(render('gitlab', result, contextWith({})))).toHaveLength(1);
    expect((JSON.parse(render('json', result, contextWith({}))) as { findings: unknown[] }).findings).toHaveLength(3);
    const log = JSON.parse(render('sarif', result, contextWith({}))) as {
      runs: { results: { locations: { logicalLocations: { fullyQualifiedName: string }[] }[] }[] }[];
    };
    expect(
      log.runs[0]?.results.map(({ locations }) =>
        locations[0]?.logicalLocations.map(({ fullyQualifiedName }) => fullyQualifiedName),
      ),
    ).toEqual([['live/a', 'live/b', 'live/c'].map((stack) => `${stack}/module.addons.aws_eks_addon.cni`)]);
  });

  it('are told once in the text wherever they stand, with the other places', () => {
    const findings = [addon('aws_eks_addon.cni'), addon('aws_eks_addon.dns', 'live/a', 'addon_name = "coredns"')];
    const text = render('text', resultOf(findings), contextWith({}));
    expect(text.match(/names no version/g)).toHaveLength(1);
    expect(text).toContain('  same  modules/addons/main.tf:6:3 aws_eks_addon.dns\n');
  });

  it('names twenty more places in the text, and tells each by itself with --verbose', () => {
    const findings = Array.from({ length: 30 }, (_, index) => {
      const source = { locate: () => ({ file: `env-${index}/main.tf`, line: 1, column: 1 }) };
      return { ...addon('aws_eks_addon.cni', `env-${index}`), source };
    });
    const places = (list: { info: boolean; unverifiable: boolean; suppressed: boolean }) =>
      render('text', resultOf(findings), contextWith({}, { list })).match(/(?:^ {8}|^warning.* )env-/gm);
    expect(places({ info: false, unverifiable: false, suppressed: false })).toHaveLength(21);
    expect(places({ info: true, unverifiable: true, suppressed: true })).toHaveLength(30);
    expect(render('text', resultOf(findings), contextWith({}))).toContain(
      '        and 9 more places; --verbose lists all\n',
    );
  });
});

describe('what keeps rules from judging', () => {
  const group = resourceAt(at('resource "aws_eks_addon" "cni"'), {
    type: 'aws_eks_node_group',
    id: 'aws_eks_node_group.main',
    stack: '.',
    frontEnd: 'terraform',
  });
  const open = (rule: string, cause: string, resource = group) =>
    findingOn(resource, {
      rule,
      severity: 'info',
      verdict: 'unverifiable',
      message: `Can't tell whether ${resource.id} follows ${rule}.`,
      cause,
    });

  it('is one line per cause, that of the most first', () => {
    const findings = [
      open('imds-v1', 'the image is not known'),
      open('imds-v1', 'data.aws_launch_template.x is not read'),
      open('imds-hop-limit', 'data.aws_launch_template.x is not read'),
    ];
    expect(unjudged(findings).map(unjudgedText)).toEqual([
      "2 rules can't judge aws_eks_node_group.main: data.aws_launch_template.x is not read",
      "imds-v1 can't judge aws_eks_node_group.main: the image is not known",
    ]);
  });

  it('counts resources and root modules that share a cause', () => {
    const elsewhere = { ...group, stack: 'other' };
    expect(unjudged([open('a', 'c'), open('b', 'c', elsewhere)]).map(unjudgedText)).toEqual([
      "2 rules can't judge 2 resources of 2 root modules: c",
    ]);
  });

  it('is told in short where its findings are not listed, and not twice where they are', () => {
    const findings = [open('imds-v1', 'c'), open('imds-hop-limit', 'c')];
    const line = "2 rules can't judge aws_eks_node_group.main: c";
    expect(render('text', resultOf(findings), contextWith({}))).toContain(`  ${line}\n`);
    expect(render('markdown', resultOf(findings), contextWith({}))).toContain(`- ${line.replaceAll('_', '\\_')}\n`);
    const list = { info: true, unverifiable: true, suppressed: true };
    expect(render('text', resultOf(findings), contextWith({}, { list }))).not.toContain(line);
    expect(
      render('text', resultOf(findings), contextWith({}, { list: { ...list, warning: false, unverifiable: false } })),
    ).not.toContain(line);
  });

  it('is one annotation and one issue of GitLab that name the rules', () => {
    const list = { info: true, unverifiable: true, suppressed: true };
    const result = resultOf([open('imds-v1', 'c'), open('imds-hop-limit', 'c')]);
    expect(render('github', result, contextWith({}, { list })).match(/^::notice .*$/gm)).toEqual([
      expect.stringMatching(/title=unverifiable::2 rules can't judge .*: c\. Not judged: imds-v1, imds-hop-limit\.$/),
    ]);
    expect(JSON.parse(render('gitlab', result, contextWith({}, { list })))).toHaveLength(1);
    expect(
      (JSON.parse(render('sarif', result, contextWith({}, { list }))) as { runs: { results: unknown[] }[] }).runs[0]
        ?.results,
    ).toHaveLength(2);
  });
});

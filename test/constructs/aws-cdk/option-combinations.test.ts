import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CloudFormationValidatePlugin, type PolicyViolation } from 'aws-cdk-lib';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import {
  ClusterNetworkAddons,
  KarpenterRoles,
  PodRole,
  SelfManagedNodeGroup,
  VpcCniAddon,
  WindowsNodeGroup,
} from '../../../constructs/aws-cdk';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readPaths } from '../../../lib/front-ends/paths';
import { allRules } from '../../../lib/rules';
import { itWithAll } from '../../share';
import { addAddons } from './combinations/addons';
import { ALL } from './combinations/choices';
import { addKarpenterRoles } from './combinations/karpenter-roles';
import { countRefused, ENVIRONMENT, surprises, underTest } from './combinations/made';
import { addNetworkAddons } from './combinations/network-addons';
import { addNodeGroups } from './combinations/nodes';
import { addParts } from './combinations/parts';
import { addControllerRoles } from './combinations/roles';

describe('every combination of options that the constructs accept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));
  // Many stacks are larger than CloudFormation takes; what counts here is each resource.
  const app = new App({
    outdir: folder,
    context: { 'aws:cdk:enable-path-metadata': true, '@aws-cdk/core:stackResourceLimit': 0 },
  });
  let assembly: CloudAssembly;

  beforeAll(() => {
    addNodeGroups(app);
    addParts(app);
    addAddons(app);
    addNetworkAddons(app);
    addControllerRoles(app);
    addKarpenterRoles(app);
    paths = new Set(underTest.map((construct) => construct.node.path));
    assembly = app.synth();
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  let paths = new Set<string>();
  /** Whether a path is that of a construct under test, or within one. */
  const isUnderTest = (path: string): boolean =>
    path.split('/').some((_, index, parts) => paths.has(parts.slice(0, index + 1).join('/')));

  it('is accepted, and no other', () => {
    expect(surprises).toEqual([]);
  });

  it('is tested in numbers', () => {
    const countOf = (kind: abstract new (...args: never) => IConstruct): number =>
      underTest.filter((construct) => construct instanceof kind).length;
    const countNamed = (start: string): number => underTest.filter(({ node }) => node.id.startsWith(start)).length;
    expect(underTest.length).toBeGreaterThan(ALL ? 700 : 450);
    expect(countRefused()).toBeGreaterThan(ALL ? 300 : 100);
    expect(countOf(VpcCniAddon)).toBeGreaterThan(ALL ? 150 : 55);
    expect(countOf(ClusterNetworkAddons)).toBeGreaterThan(55);
    expect(countOf(KarpenterRoles)).toBeGreaterThan(25);
    expect(countOf(WindowsNodeGroup)).toBeGreaterThan(45);
    expect(countNamed('Parts')).toBeGreaterThan(50);
    expect(countOf(SelfManagedNodeGroup)).toBeGreaterThan(8);
    expect(countNamed('Family')).toBeGreaterThan(ALL ? 140 : 70);
    expect(countOf(PodRole)).toBeGreaterThan(ALL ? 700 : 150);
  });

  itWithAll("passes CDK's own CloudFormation validation, with nothing to acknowledge", () => {
    const plugin = new CloudFormationValidatePlugin();
    const stackTemplates = assembly.stacks.map((stack) => ({
      stackConstructPath: stack.hierarchicalId,
      templatePath: stack.templateFullPath,
      accountId: ENVIRONMENT.account,
      region: ENVIRONMENT.region,
    }));
    const report = plugin.validate({
      stackTemplates,
      templatePaths: stackTemplates.map((stack) => stack.templatePath),
      appConstruct: app,
    });
    const pathsOfResources = new Map(
      assembly.stacks.flatMap((stack) => {
        const { Resources } = stack.template as { Resources: Record<string, { Metadata?: Record<string, string> }> };
        return Object.entries(Resources).map(
          ([id, resource]) => [`${stack.templateFullPath} ${id}`, resource.Metadata?.['aws:cdk:path'] ?? ''] as const,
        );
      }),
    );
    const own = findings(report.violations, (resource) =>
      isUnderTest(pathsOfResources.get(`${resource.templatePath ?? ''} ${resource.resourceLogicalId ?? ''}`) ?? ''),
    );
    expect(own).toEqual([]);
  });

  it("passes cdk-nag's AwsSolutions pack with the acknowledgements that come with the constructs", () => {
    const report = new AwsSolutionsChecks(app).validateScope(app);
    expect(report.violations.length).toBeGreaterThan(0);
    expect(findings(report.violations, (resource) => isUnderTest(resource.constructPath ?? ''))).toEqual([]);
    // The constructs attach this one to the role of the cluster.
    expect(report.violations.map((violation) => violation.ruleName)).not.toContainEqual(
      expect.stringContaining('AmazonEKSVPCResourceController'),
    );
  });

  it('passes every rule of this library, with the preset strict', () => {
    const result = readPaths([folder]);
    expect(result.diagnostics).toEqual([]);
    const failed = runRules(new EksModel(result.resources), allRules, { preset: 'strict' })
      .filter((finding) => finding.verdict === 'fail' && finding.severity !== 'info')
      .filter((finding) => isUnderTest(finding.resource.path ?? ''));
    const open = failed
      .filter((finding) => finding.suppressed === undefined)
      .map((finding) => `${finding.rule}: ${finding.message}`);
    expect([...new Set(open)]).toEqual([]);
    // What the user chose against advice, with a reason: the rules see it, and see the reason.
    expect([...new Set(failed.map((finding) => finding.rule))].sort()).toEqual([
      'ami-type-kubernetes-version',
      'imds-hop-limit',
      'node-group-force-update',
      'vpc-cni-resolve-conflicts',
    ]);
  });
});

type Violated = PolicyViolation['violatingResources'][number];

function findings(violations: readonly PolicyViolation[], concerns: (resource: Violated) => boolean): string[] {
  return violations.flatMap((violation) =>
    violation.violatingResources
      .filter(concerns)
      .map(
        (resource) =>
          `${violation.ruleName} ${resource.constructPath ?? resource.resourceLogicalId ?? ''}: ${violation.description}`,
      ),
  );
}

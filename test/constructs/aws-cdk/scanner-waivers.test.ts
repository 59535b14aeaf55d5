import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnResource, Stack, Validations, type IPolicyValidationPlugin, type PolicyViolation } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import { ImdsAccess, ManagedNodeGroup, Repairs, SafeDefaults } from '../../../constructs/aws-cdk';
import { skippedNote } from '../../needs';
import { nativeCluster } from './clusters';

/** Reports as @cdklabs/cdk-validator-cfnguard does by its rule CT.EC2.PR.2: by the name of the rule and the logical id, on templates with more than one hop. */
class CfnGuard implements IPolicyValidationPlugin {
  readonly name = 'cdk-validator-cfnguard';

  validate({ templatePaths }: { readonly templatePaths: readonly string[] }): {
    success: boolean;
    violations: PolicyViolation[];
  } {
    const violatingResources = templatePaths.flatMap((templatePath) => {
      const { Resources } = JSON.parse(readFileSync(templatePath, 'utf8')) as {
        Resources: Record<string, { Type: string; Properties: { LaunchTemplateData?: Record<string, unknown> } }>;
      };
      return Object.entries(Resources).flatMap(([resourceLogicalId, { Type, Properties }]) => {
        const options = Properties.LaunchTemplateData?.MetadataOptions as
          | { HttpPutResponseHopLimit?: number }
          | undefined;
        return Type === 'AWS::EC2::LaunchTemplate' && (options?.HttpPutResponseHopLimit ?? 1) > 1
          ? [{ resourceLogicalId, templatePath, locations: [`/Resources/${resourceLogicalId}`] }]
          : [];
      });
    });
    const violation = {
      ruleName: 'ec2_launch_template_token_hop_limit_check',
      description: '[CT.EC2.PR.2]: hop limit',
      violatingResources,
    };
    return {
      success: violatingResources.length === 0,
      violations: violatingResources.length === 0 ? [] : [violation],
    };
  }
}

/** Paths of the launch templates that the plugin reports in the end. */
function reported(
  context: Record<string, unknown>,
  prepare: (app: App) => void = () => undefined,
  plugin: IPolicyValidationPlugin = new CfnGuard(),
): string[] {
  const app = new App({ context });
  prepare(app);
  Validations.of(app).addPlugins(plugin);
  const stack = new Stack(app, 'Test');
  const cluster = nativeCluster(stack);
  new ManagedNodeGroup(stack, 'Workers', { cluster });
  new ManagedNodeGroup(stack, 'Hardened', { cluster, imds: ImdsAccess.NODE_ONLY, imdsReason: 'own roles only' });
  new ec2.LaunchTemplate(stack, 'Other', { httpPutResponseHopLimit: 2 });
  try {
    app.synth();
  } catch {
    // What is reported fails the synthesis.
  }
  const { pluginReports } = JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8')) as {
    pluginReports: { pluginName: string; violations: unknown }[];
  };
  const own = pluginReports.find(({ pluginName }) => pluginName === 'cdk-validator-cfnguard');
  const paths = JSON.stringify(own?.violations).matchAll(/"constructPath":"(?:Test\/)?([^"]+)"/g);
  return [...paths].map(([, path = '']) => path).sort();
}

describe('waivers', () => {
  const exitCode = process.exitCode;
  beforeEach(() => {
    jest.spyOn(console, 'error').mockImplementation();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.exitCode = exitCode;
  });

  it('take the hop limit of the constructs, and no other, out of the report of cfn-guard', () => {
    expect(reported({})).toEqual(['Other/Resource']);
  });

  it('of SafeDefaults take out what these set, and no hop limit that somebody wrote', () => {
    const addPlain = (app: App): void => {
      SafeDefaults.of(app, { repairs: Repairs.UNSAFE });
      const stack = new Stack(app, 'Plain');
      for (const [id, hops] of Object.entries({ Unset: undefined, One: 1, Two: 2 })) {
        const template = new ec2.LaunchTemplate(stack, id, {
          requireImdsv2: true,
          ...(hops === undefined ? {} : { httpPutResponseHopLimit: hops }),
        });
        new eks.CfnNodegroup(stack, `${id}Nodes`, {
          clusterName: 'main',
          nodeRole: 'arn:aws:iam::111122223333:role/nodes',
          subnets: ['subnet-0a1b2c3d4e5f60718'],
          amiType: 'AL2023_x86_64_STANDARD',
          launchTemplate: { id: template.launchTemplateId ?? '', version: template.latestVersionNumber },
        });
      }
    };
    expect(reported({}, addPlain)).toEqual(['Other/Resource', 'Plain/Two/Resource']);
  });

  it('can be left out', () => {
    expect(reported({ 'eks-guardrails:scannerWaivers': false })).toEqual([
      'Other/Resource',
      'Workers/LaunchTemplate/Resource',
    ]);
  });

  it('leave the template as it is', () => {
    const [one, other] = [{}, { 'eks-guardrails:scannerWaivers': false }].map((context) => {
      const stack = new Stack(new App({ context }), 'Test');
      const group = new ManagedNodeGroup(stack, 'Workers', { cluster: nativeCluster(stack) });
      const resource = group.launchTemplate.node.defaultChild as CfnResource;
      return JSON.stringify(stack.resolve(resource.cfnOptions.metadata));
    });
    expect(one).toBe(other);
  });

  // The program itself, in a package of 12 MB that is no dependency of ours, so that the plugin above reports as it does.
  const asked = process.env['EKS_GUARDRAILS_TEST_SCANNERS'] === '1';
  const lack = asked ? undefined : 'EKS_GUARDRAILS_TEST_SCANNERS=1 is not set';
  (asked ? it : it.skip)(`do the same in the report of the real cfn-guard${skippedNote(lack)}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-cfn-guard-'));
    try {
      execFileSync('npm', ['pack', '@cdklabs/cdk-validator-cfnguard@0.0.62'], { cwd: folder, stdio: 'pipe' });
      execFileSync('tar', ['-xzf', ...readdirSync(folder)], { cwd: folder });
      const { CfnGuardValidator } = createRequire(__filename)(join(folder, 'package')) as {
        CfnGuardValidator: new (props: object) => IPolicyValidationPlugin;
      };
      const rule = join(folder, 'package/rules/control-tower/cfn-guard/ec2/ct-ec2-pr-2.guard');
      const plugin = new CfnGuardValidator({ controlTowerRulesEnabled: false, rules: [rule] });
      expect(reported({}, undefined, plugin)).toEqual(['Other/Resource']);
      expect(reported({ 'eks-guardrails:scannerWaivers': false }, undefined, plugin)).toEqual([
        'Other/Resource',
        'Workers/LaunchTemplate/Resource',
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

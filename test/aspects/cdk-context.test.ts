import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { InstanceType } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import { cdkContext } from '../../aspects/jest';

const FLAG = '@aws-cdk/aws-eks:defaultToAL2023';

describe('the context that the CDK gives to an app', () => {
  const root = mkdtempSync(join(tmpdir(), 'eks-guardrails-context-'));
  const home = process.cwd();
  const write = (name: string, content: unknown): void => {
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  };

  beforeAll(() => {
    mkdirSync(join(root, 'test'));
  });
  beforeEach(() => {
    write('cdk.json', { app: 'node app.js', context: { [FLAG]: true, stage: 'prod' } });
    rmSync(join(root, 'cdk.context.json'), { force: true });
  });
  afterEach(() => {
    process.chdir(home);
  });
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('is that of cdk.json, over what was looked up', () => {
    write('cdk.context.json', { 'availability-zones:account=1:region=eu-west-1': ['eu-west-1a'], stage: 'test' });
    expect(cdkContext(join(root, 'test'))).toEqual({
      [FLAG]: true,
      stage: 'prod',
      'availability-zones:account=1:region=eu-west-1': ['eu-west-1a'],
    });
    process.chdir(root);
    expect(cdkContext()).toEqual(cdkContext(root));
  });

  it('is empty where cdk.json has none', () => {
    write('cdk.json', { app: 'node app.js' });
    expect(cdkContext(root)).toEqual({});
  });

  it('is an error without cdk.json, or with one that is none', () => {
    rmSync(join(root, 'cdk.json'));
    expect(() => cdkContext(root)).toThrow(`there is no cdk.json in ${root}, nor in a folder above it`);
    write('cdk.json', '{');
    expect(() => cdkContext(root)).toThrow(`${join(root, 'cdk.json')} can't be read: `);
    write('cdk.json', '[]');
    expect(() => cdkContext(root)).toThrow(`${join(root, 'cdk.json')} holds no JSON object`);
  });

  /** Nodes whose AMI type the CDK chooses: AL2, unless a flag says otherwise. */
  function platform(context: Record<string, unknown>): Stack {
    const stack = new Stack(new App({ context }), 'Platform');
    const cluster = new eks.Cluster(stack, 'Cluster', {
      version: eks.KubernetesVersion.V1_35,
      defaultCapacityType: eks.DefaultCapacityType.NODEGROUP,
      defaultCapacity: 0,
    });
    cluster.addNodegroupCapacity('Workers', { instanceTypes: [new InstanceType('m7i.large')] });
    return stack;
  }

  it('makes a test see what cdk synth writes', () => {
    process.chdir(root);
    expect(platform({})).toViolate('ami-type-kubernetes-version');
    expect(platform(cdkContext())).not.toViolate('ami-type-kubernetes-version');
  });

  it('is what a matcher misses that fails on an app without it', () => {
    process.chdir(root);
    const failure = (check: () => void): string => {
      try {
        check();
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
      return '';
    };
    const note = `cdk.json sets ${FLAG}, which this app doesn't have, so \`cdk synth\` may write something else. Make it with new App({ context: cdkContext() })`;
    const failed = (context: Record<string, unknown>): string =>
      failure(() => {
        expect(platform(context)).toPassEksGuardrails();
      });
    expect(failed({})).toContain(note);
    expect(failed({ [FLAG]: true })).toContain('imds-hop-limit');
    expect(failed({ [FLAG]: true })).not.toContain('cdk.json');
    expect(
      failure(() => {
        expect(platform({})).toViolate('vpc-cni-warm-targets');
      }),
    ).toContain(note);
    write('cdk.json', '{');
    expect(failed({})).not.toContain("this app doesn't have");
  });
});

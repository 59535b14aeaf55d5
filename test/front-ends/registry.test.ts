import { DIALECTS, FRONT_ENDS, isAppOutput, kindText, nothingSought } from '../../lib/front-ends/registry';
import { allRules } from '../../lib/rules';

describe('the registry of front ends', () => {
  it('has each kind of input and each dialect once', () => {
    const kinds = FRONT_ENDS.flatMap((frontEnd) => Object.keys(frontEnd.kinds));
    const names = DIALECTS.map(({ name }) => name);
    expect(kinds).toEqual([...new Set(kinds)]);
    expect(names).toEqual([...new Set(names)]);
  });

  it('has a reader for each that finds inputs', () => {
    for (const frontEnd of FRONT_ENDS) {
      const { detection } = frontEnd;
      expect(['reader' in frontEnd, 'take' in frontEnd]).toEqual([detection !== undefined, detection !== undefined]);
    }
  });

  it('knows the languages of all code in fixes', () => {
    // What the call of a module has is another form of Terraform's.
    const known = new Set<string>([...DIALECTS.map(({ name }) => name), 'terraform-module']);
    for (const { id, messages } of allRules)
      for (const [message, { fix }] of Object.entries(messages))
        for (const name of Object.keys(fix.code ?? {}))
          expect([id, message, known.has(name)]).toEqual([id, message, true]);
  });

  it('shows code in a dialect of its own or another', () => {
    const known = new Set(DIALECTS.map(({ name }) => name));
    for (const { fixes } of DIALECTS) expect(fixes.codes.map((name) => known.has(name))).not.toContain(false);
  });

  it('tells what a kind is called, which apps write, and what is sought', () => {
    expect([kindText('cdk-assembly'), kindText('user-data')]).toEqual(['CDK assembly', 'user data']);
    expect([isAppOutput('cdk-assembly'), isAppOutput('cdktf-output'), isAppOutput('terraform-plan')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(nothingSought()).toBe(
      'no CloudFormation template, no CDK assembly, no Terraform plan, no Terraform configuration, no Pulumi preview, no eksctl ClusterConfig, no answer about a cluster that runs and no Kubernetes manifest',
    );
  });
});

import { App, Aspects, Stack, Validations } from 'aws-cdk-lib';
import {
  AmiFamily,
  BottlerocketSettings,
  ImdsAccess,
  ManagedNodeGroup,
  VpcCniAddon,
  WindowsBootstrap,
  WindowsNodeGroup,
} from '../../../constructs/aws-cdk';
import { EksGuardrails, EksGuardrailsAspect } from '../../../aspects/aws-cdk';
import { nativeCluster, SERVICE_CIDR } from './clusters';
import { AMI } from './node-groups';

/** An app with a deliberate hop limit of 1 and own AMIs of every family, with the checks that a user would add. */
function makeApp(addChecks: (app: App) => void): App {
  const app = new App();
  const stack = new Stack(app, 'Test', { env: { region: 'eu-west-1', account: '123456789012' } });
  const cluster = nativeCluster(stack, { serviceIpv4Cidr: SERVICE_CIDR });
  new ManagedNodeGroup(stack, 'Workers', { cluster });
  new ManagedNodeGroup(stack, 'Hardened', {
    cluster,
    imds: ImdsAccess.NODE_ONLY,
    imdsReason: 'every pod has its own role',
  });
  for (const amiFamily of [AmiFamily.AL2, AmiFamily.AL2023, AmiFamily.BOTTLEROCKET]) {
    new ManagedNodeGroup(stack, `Own${amiFamily}`, {
      cluster,
      amiFamily,
      customAmi: AMI,
      labels: { tier: 'web' },
      taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }],
    });
  }
  new ManagedNodeGroup(stack, 'Bottlerocket', {
    cluster,
    amiFamily: AmiFamily.BOTTLEROCKET,
    bottlerocketSettings: new BottlerocketSettings({ hostContainers: { admin: { enabled: true } } }),
  });
  new WindowsNodeGroup(stack, 'Windows', {
    cluster,
    windowsBootstrap: new WindowsBootstrap({ scripts: ['Get-Date'] }),
  });
  new WindowsNodeGroup(stack, 'OwnWindows', { cluster, customAmi: AMI });
  // The number of pods of the own AMIs follows from it.
  new VpcCniAddon(stack, 'Cni', { cluster, windowsIpam: true, prefixDelegation: {} });
  addChecks(app);
  return app;
}

/** Rules about the cluster, which these constructs don't make. */
const SCENERY = { 'cluster-version-support': 'off', 'cluster-support-type': 'off' } as const;

describe("the constructs under this library's own checks", () => {
  const exitCode = process.exitCode;
  beforeEach(() => {
    // CDK prints what can't be verified, such as the architecture of an AMI that is only an id.
    jest.spyOn(console, 'error').mockImplementation();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.exitCode = exitCode;
  });

  it('pass the validation plugin, the acknowledged hop limit too', () => {
    const app = makeApp((root) => {
      Validations.of(root).addPlugins(new EksGuardrails());
    });
    expect(() => app.synth()).not.toThrow();
    expect(process.exitCode).toBe(exitCode);
  });

  it('pass the aspect, which sees the permissions that are attached to the node role late', () => {
    const app = makeApp((root) => {
      Aspects.of(root).add(new EksGuardrailsAspect({ rules: SCENERY }));
    });
    const { messages } = app.synth().getStackByName('Test');
    expect(
      messages.filter((message) => ['error', 'warning'].includes(message.level)).map((message) => message.entry.data),
    ).toEqual([]);
  });
});

import { App, Aspects, Stack, Validations } from 'aws-cdk-lib';
import { ImdsAccess, ManagedNodeGroup, VpcCniAddon } from '../../../constructs/aws-cdk';
import { EksGuardrails, EksGuardrailsAspect } from '../../../aspects/aws-cdk';
import { nativeCluster } from './clusters';

/** An app with a deliberate hop limit of 1, with the checks that a user would add. */
function makeApp(addChecks: (app: App) => void): App {
  const app = new App();
  const stack = new Stack(app, 'Test', { env: { region: 'eu-west-1', account: '123456789012' } });
  const cluster = nativeCluster(stack);
  new ManagedNodeGroup(stack, 'Workers', { cluster });
  new ManagedNodeGroup(stack, 'Hardened', { cluster, imds: ImdsAccess.NODE_ONLY, imdsReason: 'every pod has its own role' });
  new VpcCniAddon(stack, 'Cni', { cluster });
  addChecks(app);
  return app;
}

describe('the constructs under this library\'s own checks', () => {
  const exitCode = process.exitCode;
  afterEach(() => {
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
      Aspects.of(root).add(new EksGuardrailsAspect());
    });
    const { messages } = app.synth().getStackByName('Test');
    expect(messages.filter((message) => ['error', 'warning'].includes(message.level)).map((message) => message.entry.data)).toEqual([]);
  });
});

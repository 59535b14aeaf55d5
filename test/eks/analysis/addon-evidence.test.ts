import { EksModel } from '../../../lib/eks';
import { settingsOutsideAddon } from '../../../lib/eks/analysis/addon-evidence';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { block, manifest, onCondition, resources, template } from '../../rules/node-templates';
import { IPV4, STAGE, staged } from '../../rules/vpc-cni/custom-networking-templates';
import { FARGATE } from '../../rules/vpc-cni/pod-eni-templates';

/** What settings there are: path, value, what EKS writes instead, evidence, condition. */
function settingsIn(text: string): string[] {
  const { resources: read, diagnostics } = readTemplates([{ file: 'template.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return new EksModel(read).clusterViews
    .flatMap(settingsOutsideAddon)
    .map(({ path, value, fallback, evidence, exists }) =>
      [path.join('.'), value, fallback, evidence, exists.text].join(' | '),
    );
}

const POLICY = manifest('Policy', { kind: 'SecurityGroupPolicy', metadata: { name: 'web' } });
const CONFIG = manifest('Config', { kind: 'ENIConfig', metadata: { name: 'eu-west-1a' } });

/** A DaemonSet, or what a patch changes of one. */
const daemonSet = (env: unknown, list = 'containers') => ({
  spec: { template: { spec: { [list]: [{ name: 'aws-node', env }] } } },
});

const patch = (target: string, change: object) =>
  block('Patch', 'Custom::AWSCDK-EKS-KubernetesPatch', [
    'ServiceToken: arn:aws:lambda:eu-west-1:111122223333:function:kubectl',
    'ClusterName: !Ref Cluster',
    `ResourceName: ${target}`,
    'ResourceNamespace: kube-system',
    `ApplyPatchJson: '${JSON.stringify(change)}'`,
    "RestorePatchJson: '{}'",
    'PatchType: strategic',
  ]);

const ON = [{ name: 'ENABLE_PREFIX_DELEGATION', value: 'true' }];
const PREFIX = 'env.ENABLE_PREFIX_DELEGATION | true | "false"';

describe('settings of aws-node outside of its add-on', () => {
  it.each<[string, string, readonly string[]]>([
    ['nothing', resources(IPV4), []],
    ['an object of another kind', resources(IPV4, manifest('Map', { kind: 'ConfigMap', metadata: { name: 'a' } })), []],
    ['a policy', resources(IPV4, POLICY), ['env.ENABLE_POD_ENI | true | "false" | SecurityGroupPolicy web | ']],
    ['a policy beside Fargate, whose pods it may be for', resources(IPV4, POLICY, FARGATE), []],
    [
      'a policy beside Fargate that is there under a condition',
      staged(POLICY, onCondition('IsProd', FARGATE)),
      ['env.ENABLE_POD_ENI | true | "false" | SecurityGroupPolicy web | condition IsProd is false'],
    ],
    [
      'an ENIConfig, whether there is Fargate or not',
      resources(IPV4, CONFIG, FARGATE),
      ['env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG | true | "false" | ENIConfig eu-west-1a | '],
    ],
    [
      'an ENIConfig under a condition',
      staged(onCondition('IsProd', CONFIG)),
      ['env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG | true | "false" | ENIConfig eu-west-1a | condition IsProd is true'],
    ],
    [
      'the DaemonSet itself',
      resources(IPV4, manifest('Node', { kind: 'DaemonSet', metadata: { name: 'aws-node' }, ...daemonSet(ON) })),
      [`${PREFIX} | DaemonSet aws-node | `],
    ],
    [
      'another DaemonSet',
      resources(IPV4, manifest('Node', { kind: 'DaemonSet', metadata: { name: 'other' }, ...daemonSet(ON) })),
      [],
    ],
    [
      'something else of that name',
      resources(IPV4, manifest('Node', { kind: 'Deployment', metadata: { name: 'aws-node' }, ...daemonSet(ON) })),
      [],
    ],
    ['a patch', resources(IPV4, patch('daemonset/aws-node', daemonSet(ON))), [`${PREFIX} | patch Patch | `]],
    ['a patch by a short name', resources(IPV4, patch('ds/aws-node', daemonSet(ON))), [`${PREFIX} | patch Patch | `]],
    ['a patch of something else', resources(IPV4, patch('daemonset/kube-proxy', daemonSet(ON))), []],
    [
      'a patch whose target is not known',
      template('Parameters:\n  P: { Type: String }', IPV4, patch('!Ref P', daemonSet(ON))),
      [],
    ],
    [
      'a patch of the container that prepares the node',
      resources(
        IPV4,
        patch('daemonset/aws-node', daemonSet([{ name: 'DISABLE_TCP_EARLY_DEMUX', value: 'true' }], 'initContainers')),
      ),
      ['init.env.DISABLE_TCP_EARLY_DEMUX | true | "false" | patch Patch | '],
    ],
    [
      'the default of EKS',
      resources(IPV4, patch('daemonset/aws-node', daemonSet([{ name: 'ENABLE_PREFIX_DELEGATION', value: 'false' }]))),
      [],
    ],
    [
      'a variable that EKS does not write',
      resources(IPV4, patch('daemonset/aws-node', daemonSet([{ name: 'SOME_OTHER', value: 'true' }]))),
      [],
    ],
    [
      'a variable without a name',
      resources(IPV4, patch('daemonset/aws-node', daemonSet([{ value: 'true' }, ...ON]))),
      [`${PREFIX} | patch Patch | `],
    ],
    [
      'a value from elsewhere',
      resources(
        IPV4,
        patch(
          'daemonset/aws-node',
          daemonSet([{ name: 'ENABLE_PREFIX_DELEGATION', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } }]),
        ),
      ),
      ['env.ENABLE_PREFIX_DELEGATION | … | "false" | patch Patch | '],
    ],
    [
      'containers that are a text',
      resources(IPV4, patch('daemonset/aws-node', { spec: { template: { spec: { containers: 'a' } } } })),
      [],
    ],
    [
      'lists that are written as maps',
      resources(
        IPV4,
        patch('daemonset/aws-node', {
          spec: { template: { spec: { containers: { 'aws-node': { env: { first: ON[0] } } } } } },
        }),
      ),
      [`${PREFIX} | patch Patch | `],
    ],
    [
      'all of them, each under its own condition',
      template(STAGE, IPV4, onCondition('IsProd', POLICY), CONFIG, patch('daemonset/aws-node', daemonSet(ON))),
      [
        'env.ENABLE_POD_ENI | true | "false" | SecurityGroupPolicy web | condition IsProd is true',
        'env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG | true | "false" | ENIConfig eu-west-1a | ',
        `${PREFIX} | patch Patch | `,
      ],
    ],
  ])('are shown by %s', (_, text, expected) => {
    expect(settingsIn(text)).toEqual(expected);
  });
});

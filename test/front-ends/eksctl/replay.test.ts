import { AS_OF } from '../../as-of';
import { EksModel } from '../../../lib/eks';
import { runRules, type Finding } from '../../../lib/engine';
import { allRules } from '../../../lib/rules';
import { allVectors } from '../../metamorphic/vectors';
import { AND_THEN } from '../../rules/obeyed/and-then';
import { isTemplate } from '../../rules/models';
import type { CollectedVector } from '../../rules/rule-tester';
import { IS_SHARED } from '../../share';
import { replay } from '../replayed-vectors';
import { resourcesIn } from './configs';
import { leftBy, obeyed } from './obeyed';
import { translateToConfig } from './translate';

/** Vectors of which eksctl makes something else by right, by the reason. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  'eksctl makes a launch template for each group, with two hops and required tokens': [
    'imds-hop-limit: a Bottlerocket group without launch template',
    'imds-hop-limit: a group in an Auto Mode cluster is still a managed node group and fails',
    'imds-hop-limit: a group that names neither AMI type nor launch template fails, because EKS takes AL2023 on 1.33',
    'imds-hop-limit: a group without AMI type on Kubernetes 1.29, which EKS starts with AL2',
    'imds-hop-limit: an AL2 group without launch template',
    'imds-hop-limit: an AL2023 group without launch template fails',
    'imds-v1: a Bottlerocket group that declares nothing',
    'imds-v1: an AL2 group without launch template is reported itself',
  ],
  'a cluster that eksctl makes starts without add-ons of its own': [
    'addon-create-conflict: CoreDNS has a copy too',
    'addon-create-conflict: NONE acts the same',
    'addon-create-conflict: PRESERVE with values meets the copy of a new cluster',
    'addon-create-conflict: so does no mode',
    'addon-create-conflict: the example of its page: conflict',
  ],
  'eksctl refuses the file, of which eksctl-refuses tells': [
    "bottlerocket-settings: TOML that EKS can't merge",
    'bottlerocket-settings: a bad certificate where EKS has its own',
    'launch-template-forbidden-field: an AMI for EC2 to look up',
    'launch-template-node-group-conflict: a release version beside an AMI',
    'node-config-decoding: a tab for indentation',
    'node-group-scaling: a word in the place of an AMI fails, and no rule judges what such nodes would boot',
    'node-label-reserved: a group whose launch template brings the AMI',
    "prefix-delegation-max-pods: a NodeConfig that nodeadm can't read",
    'vpc-cni-resolve-conflicts: Auto Mode beside a node group',
  ],
  'eksctl makes a MIME document of what is told to nodes': [
    'node-config-decoding: a bare NodeConfig where EKS merges MIME documents is told by another rule',
    'nodeadm-init-in-user-data: a plain script that EKS refuses is told by another rule',
  ],
  'eksctl tells the nodes of their cluster': [
    'bottlerocket-settings: a certificate as PEM',
    'bottlerocket-settings: a certificate that is no base64',
    'bottlerocket-settings: an AMI of its own and nothing that tells the cluster',
    'bottlerocket-settings: an empty endpoint counts as none',
  ],
  'eksctl is told the family of an AMI, and EKS no AMI type beside it': [
    'launch-template-node-group-conflict: an AMI type beside an AMI',
    'nodeadm-init-in-user-data: an AMI of its own whose script caters for two systems',
  ],
  'disablePodIMDS says by its name what it does': [
    'imds-hop-limit: a limit of 1 with required tokens fails on any family, and says that it is hardening advice too',
  ],
  'eksctl works out the AMI type, of AL2023 whatever the version': [
    'ami-type-accelerator: GPU instances without AMI type',
    'ami-type-architecture: Graviton without AMI type',
    'ami-type-architecture: both architectures fail without AMI type',
  ],
  'without a version, or with `latest`, eksctl takes one of its own choice': [
    'cluster-support-type: STANDARD passes without version: the default of EKS is in standard support',
    'cluster-support-type: no version at all',
    'cluster-version-pinned: no version is a warning',
    'cluster-version-pinned: the example of its page: notPinned',
    'cluster-version-pinned: what is no version passes here',
    'cluster-version-support: no version',
    'cluster-version-support: what is no version fails',
  ],
  'eksctl fills in sizes, instance types and add-ons': [
    'cluster-network-addons: the add-ons of EKS',
    'node-group-update-config: more nodes than the group has at most are a warning',
    'node-group-update-config: several nodes of a group that writes no size',
    'pod-security-groups-instance-types: no type at all, so that EKS starts t3.medium',
  ],
  'eksctl takes a part of a version for the newest one that has it': [
    'kube-proxy-version-skew: no version at all, which another rule tells',
  ],
  'eksctl switches the addresses of Windows pods on by a ConfigMap': [
    'vpc-cni-windows-ipam: Windows groups that can have no nodes',
    'vpc-cni-windows-ipam: a misspelt setting, which another rule tells',
    'vpc-cni-windows-ipam: an add-on without the setting',
    'vpc-cni-windows-ipam: an old add-on, for which the ConfigMap is the way',
    'vpc-cni-windows-ipam: nothing that switches it on',
    'vpc-cni-windows-ipam: the setting in a wrong spelling, which another rule tells',
  ],
};

/** What a ClusterConfig can't say, or says in so different a way that its own tests compare it. */
const LEFT_OUT = [
  'a capacity type',
  'a launch template by another name',
  'a launch template of several groups',
  'a launch template that no group uses, or several',
  'a network that eksctl makes by itself',
  'a number that is none',
  'a property of the add-on',
  'a property of the cluster',
  'a property of the group',
  'a property of the launch template',
  'a resource that eksctl does not make',
  'a role of the add-on, for which eksctl wants an OIDC provider of its own',
  'a value that is put together',
  'a version of the launch template',
  'an AMI of Windows in a managed group, which eksctl refuses',
  'an AMI that is looked up',
  'an AMI type that eksctl would not choose',
  'an AMI without user data, to which eksctl adds a bootstrap',
  'an update strategy',
  'conditions and parameters',
  'metadata options that eksctl has no setting for',
  'no cluster, or several',
  'objects and charts of Kubernetes, which stand in files of their own',
  'roles and policies with documents of their own',
  'several NodeConfigs',
  'the VPC of the cluster',
  'user data that eksctl puts together itself',
  'user data that is put together',
  'what CloudFormation says beside the properties',
  'what a node has to know of its cluster, which eksctl writes itself',
];

const translated = replay('vectors said again as ClusterConfigs', {
  vectors: allVectors().filter(isTemplate),
  translate: translateToConfig,
  read: ({ text }) => resourcesIn(text),
  differences: DIFFERENCES,
  leftOut: LEFT_OUT,
});

function failuresIn({ rule, options = {}, today = AS_OF }: CollectedVector, text: string): readonly Finding[] {
  return runRules(new EksModel(resourcesIn(text)), allRules, { asOf: today, rules: { [rule]: { options } } }).filter(
    ({ verdict }) => verdict === 'fail',
  );
}

describe('the fixes of these vectors', () => {
  it('do what they say where they are code, and eksctl takes the file', () => {
    const problems: string[] = [];
    let count = 0;
    for (const [name, vector, { text }] of translated) {
      // What fixes of user data say stands within a text, which other tests obey.
      if (/^ +(?:overrideBootstrapCommand|preBootstrapCommands|bottlerocket):/m.test(text)) continue;
      const before = failuresIn(vector, text);
      for (const finding of before.filter(({ rule, fixCode }) => rule === vector.rule && fixCode !== undefined)) {
        count++;
        const after = obeyed(text, finding);
        const next = AND_THEN[`${finding.rule} ${finding.messageId ?? ''}: ${vector.name}`];
        const left = leftBy(finding, before, failuresIn(vector, after), after).filter(
          (one) => next?.test(one) !== true,
        );
        if (left.length > 0) problems.push(`${name}: ${left.join('; ')}\n${finding.fixCode ?? ''}`);
      }
    }
    expect(count).toBeGreaterThan(IS_SHARED ? 10 : 50);
    expect(problems).toEqual([]);
  });
});

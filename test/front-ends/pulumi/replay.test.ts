import { readPulumi } from '../../../lib/front-ends/pulumi/reading';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { allVectors } from '../../metamorphic/vectors';
import { isTemplate } from '../../rules/models';
import { PLAN_KNOWS_MORE } from '../../rules/terraform/differences';
import { LEFT_OUT as UNTRANSLATED } from '../../rules/terraform/left-out';
import { replay } from '../replayed-vectors';
import { previewOf } from './preview';

/** Vectors of which a preview says something else by right, by the reason. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  'it tells what exists already, and the partition': [
    ...PLAN_KNOWS_MORE.keys(),
    'arn-partition: the example of its page: right',
  ],
  'data sources have answered': ['cluster-version-pinned: a version that is looked up'],
  'the AWS provider takes 0 for "not written", and refuses it': [
    'imds-hop-limit: a limit of 0 fails: EC2 refuses it',
    'node-group-update-config: zero fails',
    'node-group-update-config: zero percent fails',
  ],
  'the AWS provider refuses both': ['launch-template-node-group-conflict: a template by id and by name'],
  'the AWS provider has a property for it': [
    'launch-template-version: the default version number is reported: CloudFormation has no property that moves it',
  ],
  'what is not known yet may turn out to be none': [
    'launch-template-forbidden-field: an instance profile from a parameter counts as set',
    'launch-template-node-group-conflict: a disk size from a parameter beside a template',
    'node-config-cluster: an AMI from a parameter is an AMI',
    'node-group-remote-access: a key from a parameter without default is a key, whatever it is called',
    'node-group-remote-access: a source security group from a parameter without default passes: one is named',
    'node-group-update-config: both settings fail whatever the parameter says',
  ],
  'which provider a resource is made by is not told, and there may be several': [
    'arn-partition: two roles with policies of two partitions, wherever it is deployed to',
    'irsa-oidc-provider: two providers for one literal issuer',
  ],
  'that two values are equal is not told': [
    'ami-type-kubernetes-version: AL2 on 1.33 fails where the cluster is called by the same parameter without default',
    'launch-template-security-groups: a rule for a group of the control plane by the same parameter',
    'node-group-kubernetes-version: the same parameter without default on both sides passes',
  ],
};

/** What Terraform can't say, and what a preview leaves out. */
const LEFT_OUT: readonly string[] = [
  ...Object.keys(UNTRANSLATED),
  'a conditional',
  'a text that is put together of what is not known yet',
  'an object without its kind',
  'conditions and parameters',
  'keys that are not known yet',
  'values of a chart that are no map',
];

replay('vectors said again as previews of Pulumi', {
  vectors: allVectors().filter(isTemplate),
  translate: previewOf,
  read: ({ text }) => readInstances(readPulumi(text, 'preview.json').instances),
  differences: DIFFERENCES,
  leftOut: LEFT_OUT,
});

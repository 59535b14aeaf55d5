import { allVectors } from '../../../metamorphic/vectors';
import { isTemplate } from '../../../rules/models';
import { replay } from '../../replayed-vectors';
import { resourcesOf } from './objects';
import { translateToObjects } from './translate';

/** What no objects say, or another test compares. */
const LEFT_OUT = [
  'a boundary',
  'a launch template by id and by name',
  'a name that is not written',
  'a resource that is no object',
  'a setting that the controller does not have',
  'a template with problems',
  'a value that is put together',
  'conditions and parameters',
  'what CloudFormation looks up',
  'what a macro may change',
  'what CloudFormation says beside the properties',
];

const PRESERVE = [
  'addon-preserve-on-delete: a cluster whose name is left empty',
  'addon-preserve-on-delete: and kube-proxy',
  'addon-preserve-on-delete: so do CoreDNS',
  'addon-preserve-on-delete: the CNI of an imported cluster goes with its add-on',
  'addon-preserve-on-delete: the example of its page: not-set',
];

const NO_TEXTS = [
  'node-group-scaling: numbers in texts are compared as numbers',
  'node-group-update-config: a number in text passes',
];

/** Of a text with `${…}`. */
const FILLED_IN = [
  'irsa-trust-policy: a variable in the key, which IAM takes as it is, fails',
  'irsa-trust-policy: a function that stands in a text without `Fn::Sub` names no provider, so that nobody gets in',
];

const TWO_PARTITIONS = ['arn-partition: two roles with policies of two partitions, wherever it is deployed to'];

/** Vectors of which something else is so by right, by the reason. */
const OF_ACK: Readonly<Record<string, readonly string[]>> = {
  'the API server refuses a text for a number': NO_TEXTS,
  'no setting keeps what an add-on has installed': PRESERVE,
  'what applies a manifest may fill it in before': FILLED_IN,
  'objects of one folder may be of several accounts': TWO_PARTITIONS,
};

const OF_CROSSPLANE: Readonly<Record<string, readonly string[]>> = {
  'the API server refuses a text for a number or a truth value': [
    ...NO_TEXTS,
    'node-group-force-update: force switched off as text passes',
  ],
  'what applies a manifest may fill it in before': FILLED_IN,
  'objects of one folder may be of several accounts': TWO_PARTITIONS,
};

const vectors = allVectors().filter(isTemplate);

replay('vectors said again as objects of AWS Controllers for Kubernetes', {
  vectors,
  translate: (template) => translateToObjects('ack', template),
  read: ({ objects }) => resourcesOf(objects),
  differences: OF_ACK,
  leftOut: LEFT_OUT,
});

replay('vectors said again as managed resources of Crossplane', {
  vectors,
  translate: (template) => translateToObjects('crossplane', template),
  read: ({ objects }) => resourcesOf(objects),
  differences: OF_CROSSPLANE,
  leftOut: LEFT_OUT,
});

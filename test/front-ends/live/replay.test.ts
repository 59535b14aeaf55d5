import { allRules } from '../../../lib/rules';
import { allVectors } from '../../metamorphic/vectors';
import { isTemplate } from '../../rules/models';
import { replay } from '../replayed-vectors';
import { resourcesIn } from './dumps';
import { translateToAnswers } from './translate';

const ABOUT_CODE = new Set(allRules.filter(({ isAboutCode }) => isAboutCode === true).map(({ id }) => id));

/** Vectors of which something else is so by right once they are deployed, by the reason. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  'EKS has accepted the cluster': [
    'cluster-subnet-capacity: a cluster whose subnets are of one zone',
    'cluster-subnet-capacity: a cluster with a single subnet',
  ],
  'EKS always answers an authentication mode': [
    'aws-auth-roles: a role with a path, where no mode is written, which means the ConfigMap',
  ],
  'EKS always answers a support type': [
    'cluster-support-type: no support type is a warning when the day is near',
    'cluster-support-type: no support type is information before, with the day on which it matters',
  ],
  'the region is known': [
    'custom-networking-eni-config: ENIConfigs of real zones, no subnets in the input',
    'custom-networking-eni-config: Local Zones and Wavelength Zones',
    'custom-networking-eni-config: a direction that is no compass word, region not known',
    'custom-networking-eni-config: a region of a number that is in no list',
    'custom-networking-eni-config: a zone of the sovereign cloud',
    'custom-networking-eni-config: eniConfig.region has no effect, so it may be the wrong one of two regions',
    'custom-networking-eni-config: eniConfig.region is no help if it has the same mistake',
    'custom-networking-eni-config: names are judged with the deprecated zone label as well',
    'custom-networking-eni-config: the kind of somebody else',
    'custom-networking-eni-config: the zone label through extraEnv',
  ],
  'the DaemonSet tells whether ENABLE_POD_ENI is on': [
    'pod-security-groups-instance-types: Auto Mode and a VPC CNI, which shows that there are other nodes',
    'security-group-policy: OVERWRITE without the setting is the finding of another rule',
    'security-group-policy: no configuration values',
    'security-group-policy: not set',
    'security-group-policy: not set, with NONE',
  ],
};

/** What no answer says. */
const LEFT_OUT = [
  'a launch template by another name',
  'a resource that no dump has',
  'a template with problems',
  'a value that is put together',
  'a version of the launch template',
  'an add-on twice',
  'associations of an add-on',
  'conditions and parameters',
  'no cluster, or several',
  'several objects in one manifest',
  'what CloudFormation says beside the properties',
  'what EKS chooses itself',
  'what EKS does not tell afterwards',
];

replay('vectors said again as the answers about what they make', {
  vectors: allVectors().filter((vector) => isTemplate(vector) && !ABOUT_CODE.has(vector.rule)),
  translate: translateToAnswers,
  read: ({ files }) => resourcesIn(files),
  differences: DIFFERENCES,
  leftOut: LEFT_OUT,
});

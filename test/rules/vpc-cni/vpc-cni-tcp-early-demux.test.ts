import { vpcCniTcpEarlyDemux } from '../../../lib/rules/vpc-cni/vpc-cni-tcp-early-demux';
import { CLUSTER, cluster, helmChart, manifest, nodeGroup, onCondition, resources, template } from '../node-templates';
import { testRule } from '../rule-tester';
import {
  cni,
  cniWith,
  DEMUX,
  deployment,
  EXEC,
  FARGATE,
  HTTP,
  patch,
  POD_ENI,
  policy,
  STANDARD,
  substituted,
} from './pod-eni-templates';

const WEB = policy('Policy');
const PROBED = deployment('Web', { readinessProbe: HTTP });
const CONDITION = 'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProd: !Equals [!Ref Stage, prod]';
const PARAMETER = 'Parameters:\n  P: { Type: String }';
const at = 'ConfigurationValues';
const EXTRA = { extraEnv: [{ name: 'DISABLE_TCP_EARLY_DEMUX', value: 'true' }] };
const ERROR = { message: 'probes', severity: 'error', resource: 'Cni', at } as const;
const WARNING = { message: 'pods-not-visible', severity: 'warning', resource: 'Cni', at } as const;

testRule(vpcCniTcpEarlyDemux, {
  valid: [
    { name: 'the switch is on', template: resources(CLUSTER, cni(DEMUX), WEB, PROBED) },
    {
      name: 'the switch is on in another spelling',
      template: resources(CLUSTER, cni({ ...POD_ENI, init: { env: { DISABLE_TCP_EARLY_DEMUX: '1' } } }), WEB, PROBED),
    },
    {
      name: 'the switch is on, and in extraEnv besides, which another rule tells',
      template: resources(CLUSTER, cni({ ...DEMUX, ...EXTRA }), WEB, PROBED),
    },
    { name: 'mode standard', template: resources(CLUSTER, cni(STANDARD), WEB, PROBED) },
    {
      name: 'mode standard with the switch in extraEnv, which another rule tells',
      template: resources(CLUSTER, cni({ ...STANDARD, ...EXTRA }), WEB, PROBED),
    },
    {
      name: 'the switch in extraEnv, and no probes that need it',
      template: resources(CLUSTER, cni({ ...POD_ENI, ...EXTRA }), WEB, deployment('Web', { livenessProbe: EXEC })),
    },
    {
      name: 'the pods of the policy have exec probes',
      template: resources(CLUSTER, cni(POD_ENI), WEB, deployment('Web', { livenessProbe: EXEC, readinessProbe: EXEC })),
    },
    {
      name: 'the pods of the policy have no probes',
      template: resources(CLUSTER, cni(POD_ENI), WEB, deployment('Web', {})),
    },
    {
      name: 'a probe that goes to another host',
      template: resources(
        CLUSTER,
        cni(POD_ENI),
        WEB,
        deployment('Web', { livenessProbe: { httpGet: { host: '10.0.0.1', port: 80 } } }),
      ),
    },
    {
      name: 'pods that no policy fits may have probes',
      template: resources(
        CLUSTER,
        cni(POD_ENI),
        WEB,
        deployment('Web', { livenessProbe: EXEC }),
        deployment('Other', { livenessProbe: HTTP }, {}, { app: 'other' }),
      ),
    },
    {
      name: 'the switch is on wherever ENABLE_POD_ENI is',
      template: template(
        CONDITION,
        CLUSTER,
        cniWith([`ConfigurationValues: !If [IsProd, '${JSON.stringify(DEMUX)}', '{}']`]),
        WEB,
        PROBED,
      ),
    },
    {
      name: 'all pods of the policy are in the network of the host, which it does not touch',
      template: resources(
        CLUSTER,
        cni(POD_ENI),
        WEB,
        deployment('Web', { livenessProbe: HTTP }, { hostNetwork: true }),
      ),
    },
    {
      name: 'mode standard with a switch that is not known',
      template: template(
        PARAMETER,
        CLUSTER,
        substituted(cni({ ...STANDARD, init: { env: { DISABLE_TCP_EARLY_DEMUX: '${P}' } } })),
      ),
    },
  ],
  invalid: [
    {
      name: 'pods of a policy with HTTP probes',
      template: resources(CLUSTER, cni(POD_ENI), WEB, PROBED),
      fixed: resources(CLUSTER, cni(DEMUX), WEB, PROBED),
      findings: [
        {
          ...ERROR,
          says: ['readiness', 'Deployment web', 'SecurityGroupPolicy policy', 'init.env.DISABLE_TCP_EARLY_DEMUX'],
          omits: ['This happens when'],
        },
      ],
    },
    {
      name: 'TCP and gRPC probes of several pods',
      template: resources(
        CLUSTER,
        cni(POD_ENI),
        WEB,
        deployment('Tcp', { startupProbe: { tcpSocket: { port: 80 } } }),
        deployment('Grpc', { livenessProbe: { grpc: { port: 80 } } }),
      ),
      findings: [{ ...ERROR, says: ['startup and liveness', 'Deployment tcp and Deployment grpc'] }],
    },
    {
      name: 'the switch written as off',
      template: resources(
        CLUSTER,
        cni({ ...POD_ENI, init: { env: { DISABLE_TCP_EARLY_DEMUX: 'false' } } }),
        WEB,
        PROBED,
      ),
      fixed: resources(CLUSTER, cni(STANDARD), WEB, PROBED),
      findings: [ERROR],
    },
    {
      name: 'the variable under env of the chart, where nothing refuses it and the init container does not see it',
      template: resources(
        CLUSTER,
        helmChart('Cni', 'aws-vpc-cni', { env: { ENABLE_POD_ENI: 'true', DISABLE_TCP_EARLY_DEMUX: 'true' } }),
        WEB,
        PROBED,
      ),
      findings: [{ ...ERROR, at: 'Cni', says: ['stands under env'] }],
    },
    {
      name: 'the switch in extraEnv, which does not reach the init container',
      template: resources(CLUSTER, cni({ ...POD_ENI, ...EXTRA }), WEB, PROBED),
      fixed: resources(CLUSTER, cni(DEMUX), WEB, PROBED),
      findings: [{ ...ERROR, says: ['extraEnv', 'not the init container'] }],
    },
    {
      name: 'the switch in extraEnv, and pods that are not visible',
      template: resources(CLUSTER, cni({ ...POD_ENI, ...EXTRA })),
      findings: [{ ...WARNING, says: ['extraEnv'] }],
    },
    {
      name: 'the switch in extraEnv of the chart',
      template: resources(CLUSTER, helmChart('Cni', 'aws-vpc-cni', { ...POD_ENI, ...EXTRA }), WEB, PROBED),
      findings: [{ ...ERROR, at: 'Cni', says: ['extraEnv'] }],
    },
    {
      name: 'the switch in extraEnv where ENABLE_POD_ENI is on, which another rule tells of the other branch',
      template: template(
        CONDITION,
        CLUSTER,
        cniWith([
          `ConfigurationValues: !If [IsProd, '${JSON.stringify({ ...POD_ENI, ...EXTRA })}', '${JSON.stringify(EXTRA)}']`,
        ]),
        WEB,
        PROBED,
      ),
      findings: [{ ...ERROR, says: ['IsProd is true'] }],
    },
    {
      name: 'ENABLE_POD_ENI alone, without anything to see',
      template: resources(CLUSTER, cni(POD_ENI)),
      fixed: resources(CLUSTER, cni(DEMUX)),
      findings: [{ ...WARNING, says: ['visible'] }],
    },
    {
      name: 'policies whose pods are not visible',
      template: resources(CLUSTER, cni(POD_ENI), WEB),
      findings: [WARNING],
    },
    {
      name: 'probes of pods that the policy may fit',
      template: template(
        PARAMETER,
        CLUSTER,
        cni(POD_ENI),
        substituted(policy('Policy', { podSelector: { matchLabels: { app: '${P}' } } })),
        PROBED,
      ),
      findings: [WARNING],
    },
    {
      name: 'probes that are not visible',
      template: template(
        PARAMETER,
        CLUSTER,
        cni(POD_ENI),
        WEB,
        substituted(deployment('Web', { livenessProbe: '${P}' })),
      ),
      findings: [WARNING],
    },
    {
      name: 'one policy with exec probes, another whose pods are not visible',
      template: resources(
        CLUSTER,
        cni(POD_ENI),
        WEB,
        deployment('Web', { livenessProbe: EXEC }),
        policy('Jobs', { podSelector: { matchLabels: { app: 'job' } } }),
      ),
      findings: [WARNING],
    },
    {
      name: 'a policy that the controller ignores gives no pod a security group',
      template: resources(CLUSTER, cni(POD_ENI), policy('Policy', { podSelector: null }), PROBED),
      also: ['security-group-policy'],
      findings: [WARNING],
    },
    {
      name: 'a policy in another namespace',
      template: resources(CLUSTER, cni(POD_ENI), policy('Policy', undefined, 'other'), PROBED),
      findings: [WARNING],
    },
    {
      name: 'the pods may run on Fargate',
      template: resources(CLUSTER, cni(POD_ENI), WEB, PROBED, FARGATE, nodeGroup('InstanceTypes: [m5.large]')),
      findings: [{ ...ERROR, severity: 'warning' }],
    },
    {
      name: 'a version that does not accept the setting yet',
      template: resources(cluster("Version: '1.22'"), cni(POD_ENI, 'v1.11.0-eksbuild.1'), WEB, PROBED),
      findings: [{ ...ERROR, severity: 'warning' }],
    },
    {
      name: 'a rebuild of that version accepts it',
      template: resources(cluster("Version: '1.22'"), cni(POD_ENI, 'v1.11.0-eksbuild.3'), WEB, PROBED),
      findings: [ERROR],
    },
    {
      name: 'an add-on without version',
      template: resources(CLUSTER, cni(POD_ENI, ''), WEB, PROBED),
      findings: [ERROR],
    },
    {
      name: 'the Helm chart',
      template: resources(CLUSTER, helmChart('Cni', 'aws-vpc-cni', POD_ENI), WEB, PROBED),
      findings: [{ ...ERROR, at: 'Cni', says: ['Helm release'] }],
    },
    {
      name: 'one branch of the configuration values',
      template: template(
        CONDITION,
        CLUSTER,
        cniWith([`ConfigurationValues: !If [IsProd, '${JSON.stringify(POD_ENI)}', '${JSON.stringify(DEMUX)}']`]),
        WEB,
        PROBED,
      ),
      findings: [{ ...ERROR, says: ['IsProd is true'] }],
    },
    {
      name: 'the policy is there under a condition; elsewhere nothing can be seen',
      template: template(CONDITION, CLUSTER, cni(POD_ENI), onCondition('IsProd', WEB), PROBED),
      findings: [
        { ...ERROR, says: ['IsProd is true'] },
        { ...WARNING, says: ['IsProd is false'] },
      ],
    },
    {
      name: 'what always fails is not said again under conditions',
      template: template(
        CONDITION,
        CLUSTER,
        cni(POD_ENI),
        onCondition('IsProd', deployment('Some', { livenessProbe: HTTP })),
        WEB,
        PROBED,
      ),
      findings: [{ ...ERROR, says: ['Deployment web'], omits: ['This happens when', 'some'] }],
    },
    {
      name: 'everything under the same condition depends on none',
      template: template(CONDITION, CLUSTER, ...[cni(POD_ENI), WEB, PROBED].map((one) => onCondition('IsProd', one))),
      findings: [{ ...ERROR, omits: ['This happens when'] }],
    },
    {
      name: 'a policy by service account',
      template: resources(
        CLUSTER,
        cni(POD_ENI),
        policy('Policy', { serviceAccountSelector: { matchLabels: { role: 'web' } } }),
        manifest('Account', {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: 'web', namespace: 'shop', labels: { role: 'web' } },
        }),
        deployment('Web', { livenessProbe: HTTP }, { serviceAccountName: 'web' }),
      ),
      findings: [ERROR],
    },
    {
      name: 'both selectors, and a service account that cannot be seen',
      template: resources(
        CLUSTER,
        cni(POD_ENI),
        policy('Policy', { podSelector: {}, serviceAccountSelector: { matchLabels: { role: 'web' } } }),
        PROBED,
      ),
      findings: [WARNING],
    },
    {
      name: 'a pod that may be in the network of the host',
      template: template(
        PARAMETER,
        CLUSTER,
        cni(POD_ENI),
        WEB,
        substituted(deployment('Web', { livenessProbe: HTTP }, { hostNetwork: '${P}' })),
      ),
      findings: [WARNING],
    },
  ],
  unverifiable: [
    {
      name: 'whether ENABLE_POD_ENI is on',
      template: template(PARAMETER, CLUSTER, substituted(cni({ env: { ENABLE_POD_ENI: '${P}' } })), WEB, PROBED),
      resources: ['Cni'],
      because: 'ENABLE_POD_ENI',
    },
    {
      name: 'the mode',
      template: template(
        PARAMETER,
        CLUSTER,
        substituted(cni({ env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: '${P}' } })),
        WEB,
        PROBED,
      ),
      resources: ['Cni'],
      because: 'ENFORCING_MODE',
    },
    {
      name: 'the switch',
      template: template(
        PARAMETER,
        CLUSTER,
        substituted(cni({ env: { ENABLE_POD_ENI: 'true' }, init: { env: { DISABLE_TCP_EARLY_DEMUX: '${P}' } } })),
        WEB,
        PROBED,
      ),
      resources: ['Cni'],
      because: 'DISABLE_TCP_EARLY_DEMUX',
    },
    {
      name: 'the whole configuration',
      template: template(PARAMETER, CLUSTER, cniWith(['ConfigurationValues: !Ref P'])),
      resources: ['Cni'],
      because: 'P',
    },
    {
      name: 'a patch that sets the variable',
      template: resources(
        CLUSTER,
        cni(POD_ENI),
        WEB,
        PROBED,
        patch('DISABLE_TCP_EARLY_DEMUX', 'true', 'initContainers'),
      ),
      resources: ['Cni'],
      because: 'patch Patch',
    },
    {
      name: 'a patch that sets the mode',
      template: resources(CLUSTER, cni(POD_ENI), WEB, PROBED, patch('POD_SECURITY_GROUP_ENFORCING_MODE', 'standard')),
      resources: ['Cni'],
      because: 'patch Patch',
    },
  ],
  notApplicable: [
    { name: 'ENABLE_POD_ENI is not on', template: resources(CLUSTER, cni({}), PROBED) },
    { name: 'no configuration values', template: resources(CLUSTER, cni(undefined), WEB, PROBED) },
    { name: 'nothing configures the CNI', template: resources(CLUSTER, WEB, PROBED) },
    { name: 'another add-on', template: resources(CLUSTER, cni(POD_ENI).replace('vpc-cni', 'coredns')) },
    {
      name: 'a mode with which aws-node does not start',
      template: resources(
        CLUSTER,
        cni({ env: { ENABLE_POD_ENI: 'true', POD_SECURITY_GROUP_ENFORCING_MODE: 'Strict' } }),
        WEB,
        PROBED,
      ),
    },
    {
      name: 'the switch under env, which the schema refuses',
      template: resources(
        CLUSTER,
        cni({ env: { ENABLE_POD_ENI: 'true', DISABLE_TCP_EARLY_DEMUX: 'true' } }),
        WEB,
        PROBED,
      ),
    },
    {
      name: 'the switch misspelt, which the schema refuses',
      template: resources(
        CLUSTER,
        cni({ ...POD_ENI, init: { env: { DISABLE_TCP_EARLY_DEMUXX: 'true' } } }),
        WEB,
        PROBED,
      ),
    },
    {
      name: 'the switch in a misspelt block, which the schema refuses',
      template: resources(CLUSTER, cni({ ...POD_ENI, InitEnv: { DISABLE_TCP_EARLY_DEMUX: 'true' } }), WEB, PROBED),
    },
    {
      name: 'a switch that is no boolean, which another rule tells',
      template: resources(CLUSTER, cni({ ...POD_ENI, init: { env: { DISABLE_TCP_EARLY_DEMUX: 'yes' } } }), WEB, PROBED),
    },
    {
      name: 'a text that is no boolean',
      template: resources(CLUSTER, cni({ env: { ENABLE_POD_ENI: 'yes' } }), WEB, PROBED),
    },
    { name: 'a cluster with Fargate alone', template: resources(CLUSTER, cni(POD_ENI), WEB, PROBED, FARGATE) },
  ],
});

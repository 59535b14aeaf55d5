import { defineRule, resourceName } from '../../engine';
import { alternativesOf, casesOf, dataAt, hasArgument, type Controller, type When } from '../../eks';
import { loadBalancerControllerActions, notInIsoPartitions } from '../../knowledge';
import { listOf } from '../../text/in-words';
import {
  actionsInCode,
  inlinePolicyCode,
  judgeControllerRoles,
  type ControllerCase,
  type ControllerOutcome,
} from './parts/controller-judgements';

/*
 * Each version of the AWS Load Balancer Controller comes with the policy that it needs. People copy it once and then upgrade the chart alone.
 * Source: kubernetes-sigs/aws-load-balancer-controller, docs/install/iam_policy.json of the tags v2.0.0 to v3.5.0.
 */

type Message = 'stops' | 'features' | 'tags-on-create';

const fix = {
  summary:
    "Give the role the policy that is published with the controller's version, docs/install/iam_policy.json of tag v{{version}}; this adds what is missing.",
  code: inlinePolicyCode('LoadBalancerControllerMore'),
  safety: 'needs-decision',
} as const;

export const loadBalancerControllerPolicy = defineRule<Message>({
  id: 'load-balancer-controller-policy',
  subject: 'iam',
  title: "The AWS Load Balancer Controller's role may do what its version calls",
  severity: 'error',
  since: '0.1.0',
  messages: {
    stops: {
      text: 'Role {{role}} lacks {{missing}}, which the AWS Load Balancer Controller {{version}} ({{because}}) calls for every load balancer: reconciling ends with AccessDenied, and load balancers are neither made nor kept up.',
      fix,
    },
    features: {
      text: 'Role {{role}} lacks {{missing}}, which the policy of the AWS Load Balancer Controller {{version}} ({{because}}) has: where an Ingress or Service asks for what needs them, reconciling ends with AccessDenied.',
      fix,
    },
    'tags-on-create': {
      text: 'Role {{role}} may tag load balancers and target groups only once they are tagged already, as policies before v2.4.7 had it: the AWS Load Balancer Controller {{version}} ({{because}}) tags them as it makes them, and creation ends with AccessDenied.',
      fix: {
        summary:
          'Add the statement for `elasticloadbalancing:AddTags` under the condition `elasticloadbalancing:CreateAction`, which docs/install/iam_policy.json has since v2.4.7.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeControllerRoles<Message>(model, 'aws-load-balancer-controller', judge);
  },
});

type Outcome = ControllerOutcome<Message>;

function judge(one: ControllerCase): readonly Outcome[] {
  const { controller, when: given } = one;
  return casesOf(controller.resource, { version: controller.version }, given).flatMap(
    ({ when, values: { version } }) => {
      if (version.kind !== 'known')
        return [
          {
            verdict: 'unverifiable',
            reason: `what it needs depends on the version of the ${controller.name}: ${version.kind === 'unknown' ? version.reason : 'it is not written'}`,
            when,
          } as const,
        ];
      return judgeVersion(one, version.value, version.note ?? 'its image', when);
    },
  );
}

function judgeVersion(
  { controller, role, permissions }: ControllerCase,
  version: string,
  because: string,
  when: When,
): readonly Outcome[] {
  const actions = loadBalancerControllerActions(version);
  if (actions === undefined)
    return [{ verdict: 'unverifiable', reason: `the policy of version ${version} is not in the tables`, when }];
  const unneeded = unneededBy(controller);
  const { missing, unknown, reasons } = permissions.missing(actions.all.filter((action) => !unneeded(action)));
  const needed = new Set(actions.needed);
  const stopping = missing.filter((action) => needed.has(action));
  const data = { role: resourceName(role), version, because };
  if (missing.length > 0) {
    const [message, told] = stopping.length > 0 ? (['stops', stopping] as const) : (['features', missing] as const);
    return [
      {
        verdict: 'fail',
        message,
        severity: message === 'stops' ? 'error' : 'warning',
        data: { ...data, missing: listOf(told.map((action) => `\`${action}\``)), ...actionsInCode(missing) },
        when,
      },
    ];
  }
  if (unknown.length > 0)
    return [
      {
        verdict: 'unverifiable',
        reason: `whether it may do ${listOf(unknown)} is not known (${reasons.join('; ')})`,
        when,
      },
    ];
  return tagsOnlyTagged(permissions)
    ? [{ verdict: 'fail', message: 'tags-on-create', severity: 'warning', data, when }]
    : [{ verdict: 'pass', when }];
}

/** Features that are switched off, by the setting of the chart and the argument of the controller, with the services that only they call. */
const SWITCHES: readonly (readonly [setting: string, argument: string, services: RegExp])[] = [
  ['enableShield', 'enable-shield', /^shield:/],
  ['enableWaf', 'enable-waf', /^waf-regional:/],
  ['enableWafv2', 'enable-wafv2', /^wafv2:/],
];

function unneededBy(controller: Controller): (action: string) => boolean {
  const { values, args, resource } = controller;
  const off = SWITCHES.flatMap(([setting, argument, services]) => {
    // What isn't known may be switched off.
    const value = dataAt(values, setting) ?? true;
    const isOn =
      value === true && !args.includes(`--${argument}=false`) && hasArgument(controller, argument) !== 'maybe';
    return isOn ? [] : [services];
  });
  const isIso = /^aws-iso/.test(('environment' in resource ? resource.environment.partition : undefined) ?? '');
  const iso = new Set(isIso ? notInIsoPartitions() : []);
  return (action) => iso.has(action) || off.some((services) => services.test(action));
}

const TAGGED = 'aws:RequestTag/elbv2.k8s.aws/cluster';

/** Whether all that allows tags on load balancers demands that the request has no tag of the controller, as requests that create have. */
function tagsOnlyTagged(permissions: ControllerCase['permissions']): boolean {
  const grants = permissions.grants(
    'elasticloadbalancing:AddTags',
    'arn:*:elasticloadbalancing:*:*:loadbalancer/app/*',
  );
  return (
    grants.length > 0 &&
    grants.every(
      ({ statement: { conditions }, certain }) =>
        certain &&
        !('kind' in conditions) &&
        conditions.some(
          ({ operator, key, values }) =>
            operator === 'Null' &&
            key === TAGGED &&
            values.length > 0 &&
            values.every((value) =>
              alternativesOf(value).every(({ value: plain }) => plain.kind === 'known' && plain.value === 'true'),
            ),
        ),
    )
  );
}

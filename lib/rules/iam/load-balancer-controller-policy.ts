import { defineRule, resourceName, type Severity } from '../../engine';
import {
  alternativesOf,
  casesOf,
  dataAt,
  hasArgument,
  objectsOf,
  type ClusterView,
  type Controller,
  type Data,
  type Plain,
  type When,
} from '../../eks';
import {
  loadBalancerControllerActions,
  loadBalancerControllerGrants,
  loadBalancerControllerVersions,
  type ControllerStatement,
  type NeededActions,
} from '../../knowledge';
import { NewestVersion } from '../../eks/analysis/controllers';
import { listOf } from '../../text/in-words';
import {
  allowedElsewhere,
  codeOf,
  judgeControllerRoles,
  lackOf,
  type ControllerCase,
  type ControllerOutcome,
} from './parts/controller-judgements';
import { inlinePolicyCode, statementsInCode } from './parts/inline-policy-code';
import { idleFeatureOf, unneededBy } from './parts/load-balancer-features';
import { isForExisting, isMaking, judgeLoneRoles } from './parts/lone-load-balancer-roles';
import { judgeRoleless } from './parts/roleless-controller';

/*
 * Each version of the AWS Load Balancer Controller comes with the policy that it needs. People copy it once and then upgrade the chart alone.
 * Source: kubernetes-sigs/aws-load-balancer-controller, docs/install/iam_policy.json of the tags v2.0.0 to v3.5.0, and its code there.
 */

type Message =
  | 'stops'
  | 'network'
  | 'web-acls'
  | 'groups-of-vpc'
  | 'features'
  | 'idle-features'
  | 'tags-on-create'
  | 'targets-only'
  | 'existing-only'
  | 'no-role';

const fix = {
  summary:
    "Give the role the policy that is published with the controller's version, docs/install/iam_policy.json of tag v{{published}}; this adds what is missing.",
  summaryIn: {
    eksctl:
      'Set `wellKnownPolicies.awsLoadBalancerController: true` in its item of `iam.serviceAccounts`, in place of a policy of your own.',
  },
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
      text: 'Role {{role}} lacks {{missing}}{{elsewhere}}, which the AWS Load Balancer Controller {{version}} calls for every {{what}}: reconciling ends there with AccessDenied, and what comes after it is neither made nor kept up.{{also}}',
      fix,
    },
    network: {
      text: 'Role {{role}} lacks {{missing}}{{elsewhere}}, which the AWS Load Balancer Controller {{version}} calls for every listener for TCP: the reconciling of each Network Load Balancer that has one ends with AccessDenied. Application Load Balancers do without.',
      fix,
    },
    'web-acls': {
      text: 'Role {{role}} lacks {{missing}}{{elsewhere}}, which the AWS Load Balancer Controller {{version}} calls for every Application Load Balancer{{where}}, with a web ACL or without: the reconciling of each Ingress ends there with AccessDenied, before the Ingress gets its address.{{also}}',
      fix,
    },
    features: {
      text: 'Role {{role}} lacks {{missing}}{{elsewhere}}, which the policy of the AWS Load Balancer Controller {{version}} has: where an Ingress or Service asks for what needs them, reconciling ends with AccessDenied.',
      fix,
    },
    'groups-of-vpc': {
      text: 'Role {{role}} lacks `ec2:GetSecurityGroupsForVpc`{{elsewhere}}, for which Elastic Load Balancing itself asks since October 2024 when the AWS Load Balancer Controller {{version}} makes a load balancer with security groups: where its service-linked role does not answer for it, `CreateLoadBalancer` ends with AccessDenied.{{also}}',
      fix,
    },
    'idle-features': {
      text: 'Role {{role}} lacks {{missing}}{{elsewhere}}, which the policy of the AWS Load Balancer Controller {{version}} has for {{features}} alone: nothing here asks for that.',
      fix,
    },
    'tags-on-create': {
      text: 'Role {{role}} may tag load balancers and target groups only once they are tagged already, as policies before v2.4.7 had it: the AWS Load Balancer Controller {{version}} tags them as it makes them, and creation ends with AccessDenied.',
      fix: {
        summary:
          'Add the statement for `elasticloadbalancing:AddTags` under the condition `elasticloadbalancing:CreateAction`, which docs/install/iam_policy.json has since v2.4.7.',
        code: inlinePolicyCode('LoadBalancerControllerTags'),
        safety: 'needs-decision',
      },
    },
    'targets-only': {
      text: 'Role {{role}} lets the AWS Load Balancer Controller {{version}} register targets and make no load balancer: right where all it serves are TargetGroupBindings; an Ingress or a Service gets no load balancer.',
      fix: {
        ...fix,
        summary:
          'Where it is to make load balancers, give the role the policy that is published with its version, docs/install/iam_policy.json of tag v{{published}}; this adds what is missing.',
      },
    },
    'existing-only': {
      text: 'Role {{role}} lets the AWS Load Balancer Controller {{version}} keep up load balancers and make or delete none: right where somebody else makes all of them with the tags by which it finds them; an Ingress or a Service without such a one gets none.',
      fix: {
        ...fix,
        summary:
          'Where it is to make load balancers, give the role the policy that is published with its version, docs/install/iam_policy.json of tag v{{published}}; this adds what is missing.',
      },
    },
    'no-role': {
      text: '{{name}} {{controller}} has no role of its own, and node role {{role}} may not call {{action}}{{others}}: it makes no load balancer, and Ingresses get no address ("AccessDenied").',
      fix: {
        summary:
          'Give its service account, {{account}}, a role with the policy that is published with its version, docs/install/iam_policy.json: by a Pod Identity association, or by the annotation `eks.amazonaws.com/role-arn` among the values of the chart.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeControllerRoles<Message>(model, 'aws-load-balancer-controller', judge, undefined, judgeRoleless);
    yield* judgeLoneRoles(model);
  },
});

function judge(one: ControllerCase): readonly ControllerOutcome<Message>[] {
  const { controller, when: given } = one;
  return casesOf(controller.resource, { version: controller.version }, given).flatMap(
    ({ when, values: { version } }) => {
      if (version.kind !== 'known') return judgeAnyVersion(one, version, when);
      const { value, note = 'its image' } = version;
      return judgeVersion(one, { version: value, named: `${value} (${note})`, published: value }, when);
    },
  );
}

/** What holds of a role whatever else its version needs. */
const OF_EVERY_VERSION: ReadonlySet<Message> = new Set(['stops', 'tags-on-create', 'targets-only', 'existing-only']);

/** What every version needs is judged although the version isn't known, and what the newest one needs where that is installed; the rest can't be. */
function judgeAnyVersion(one: ControllerCase, given: Plain<string>, when: When): readonly ControllerOutcome<Message>[] {
  const { oldest, newest } = loadBalancerControllerVersions();
  const every = judgeVersion(one, { version: oldest, named: 'of every version', published: newest }, when).filter(
    (outcome) => outcome.verdict === 'fail' && OF_EVERY_VERSION.has(outcome.message),
  );
  if (every.length > 0) return every;
  const reason = given.kind === 'unknown' ? given.reason : 'it is not written';
  const latest =
    given instanceof NewestVersion
      ? judgeVersion(
          one,
          { version: newest, named: `${newest} (the newest one known here: ${reason})`, published: newest },
          when,
        ).flatMap((outcome) =>
          outcome.verdict === 'fail' && outcome.message === 'stops'
            ? [{ ...outcome, severity: 'warning' as const }]
            : [],
        )
      : [];
  if (latest.length > 0) return latest;
  return [
    {
      verdict: 'unverifiable',
      reason: `what it needs depends on the version of the ${one.controller.name}: ${reason}`,
      when,
    },
  ];
}

/** What a role is held against. */
interface Wanted {
  /** The version whose actions are looked for. */
  readonly version: string;
  /** How messages name it. */
  readonly named: string;
  /** The one whose published policy a fix refers to. */
  readonly published: string;
}

function judgeVersion(
  one: ControllerCase,
  { version, named, published }: Wanted,
  when: When,
): readonly ControllerOutcome<Message>[] {
  const { controller, role, permissions, partition, view } = one;
  const actions = loadBalancerControllerActions(version);
  if (actions === undefined)
    return [{ verdict: 'unverifiable', reason: `the policy of version ${version} is not in the tables`, when }];
  const unneeded = unneededBy(controller);
  const { missing, unknown, reasons } = lackOf(
    permissions,
    actions.all.filter((action) => !unneeded(action)),
  );
  const data = { role: resourceName(role), version: named, published };
  // Elastic Load Balancing asks for it whatever the version, but policies before 2.10.0 come without it.
  const groups = missing.includes(GROUPS_OF_VPC) ? [] : lackOf(permissions, [GROUPS_OF_VPC]).missing;
  const outcomes: ControllerOutcome<Message>[] = [];
  if (missing.length > 0) {
    const { message, told, ...words } = messageFor(
      missing,
      actions.needed,
      nobodyNamesGroups(controller, view),
      idleFeatureOf(view, version),
    );
    outcomes.push({
      verdict: 'fail',
      message,
      severity: severityOf(message, told, view),
      data: {
        ...data,
        ...words,
        missing: codeOf(told),
        elsewhere: allowedElsewhere(role, told),
        ...statementsInCode(loadBalancerControllerGrants([...missing, ...groups]), partition),
      },
      when,
    });
  }
  if (!missing.includes(ADD_TAGS) && tagsOnlyTagged(permissions))
    outcomes.push({
      verdict: 'fail',
      message: 'tags-on-create',
      data: {
        ...data,
        ...statementsInCode(
          [...loadBalancerControllerGrants([ADD_TAGS]).filter(isOnCreate), ...loadBalancerControllerGrants(groups)],
          partition,
        ),
      },
      when,
    });
  if (outcomes.length === 0 && groups.length > 0)
    outcomes.push({
      verdict: 'fail',
      message: 'groups-of-vpc',
      severity: 'info',
      data: {
        ...data,
        elsewhere: allowedElsewhere(role, groups),
        also: ' The policy that is published with this version is older.',
        ...statementsInCode(loadBalancerControllerGrants(groups), partition),
      },
      when,
    });
  if (unknown.length > 0)
    outcomes.push({
      verdict: 'unverifiable',
      reason: `whether it may do ${listOf(unknown)} is not known (${reasons.join('; ')})`,
      when,
    });
  return outcomes.length > 0 ? outcomes : [{ verdict: 'pass', when }];
}

type Lack = Exclude<Message, 'tags-on-create' | 'no-role'>;

const SEVERITIES: Readonly<Record<Lack, Severity>> = {
  stops: 'error',
  network: 'warning',
  'web-acls': 'error',
  'groups-of-vpc': 'warning',
  features: 'warning',
  'idle-features': 'info',
  'targets-only': 'info',
  'existing-only': 'info',
};

function severityOf(message: Lack, told: readonly string[], view: ClusterView): Severity {
  if (message === 'network' && makesNetworkLoadBalancers(view)) return 'error';
  if (message === 'web-acls' && told.every(isClassic)) return 'warning';
  return SEVERITIES[message];
}

/** AWS WAF Classic, which the controller asks in the regions that have it. */
function isClassic(action: string): boolean {
  return action.startsWith('waf-regional:');
}

/** What of the missing actions is told, and what calls them. */
interface Told {
  readonly message: Lack;
  readonly told: readonly string[];
  readonly what?: string;
  readonly where?: string;
  readonly features?: string;
  readonly also?: string;
}

/** @param idle the feature of an action that nothing asks for */
function messageFor(
  missing: readonly string[],
  { loadBalancer, ownSecurityGroups, targets, tcpListeners, webAcls }: NeededActions,
  makesGroups: boolean,
  idle: ReturnType<typeof idleFeatureOf>,
): Told {
  const isMissing = (action: string): boolean => missing.includes(action);
  if (loadBalancer.filter(isMaking).every(isMissing) && !targets.some(isMissing))
    return { message: 'targets-only', told: [] };
  const always = loadBalancer.filter(isMissing);
  const groups = makesGroups ? ownSecurityGroups.filter(isMissing) : [];
  if (isForExisting(always) && groups.length === 0) return { message: 'existing-only', told: always };
  const called = missing.filter((action) => idle(action) === undefined);
  if (always.length + groups.length > 0) {
    const told = [...always, ...groups].sort();
    const others = called.filter((action) => !told.includes(action));
    return {
      message: 'stops',
      told,
      what:
        groups.length > 0
          ? 'Ingress that names no security groups of its own'
          : told.every((action) => action === ATTRIBUTES)
            ? 'load balancer with a listener for HTTP, HTTPS or TCP'
            : 'load balancer',
      also: others.length === 0 ? '' : ` Its policy has ${codeOf(others)}, too, which the role lacks.`,
    };
  }
  const listeners = tcpListeners.filter(isMissing);
  if (listeners.length > 0) return { message: 'network', told: listeners };
  const acls = webAcls.filter(isMissing);
  if (acls.length > 0) {
    const others = called.filter((action) => !acls.includes(action));
    return {
      message: 'web-acls',
      told: acls,
      where: acls.every(isClassic) ? ' in a region with AWS WAF Classic' : '',
      also: others.length === 0 ? '' : ` Its policy has ${codeOf(others)}, too, which the role lacks.`,
    };
  }
  if (called.includes(GROUPS_OF_VPC)) {
    const others = called.filter((action) => action !== GROUPS_OF_VPC);
    const also =
      others.length === 0
        ? ''
        : ` It lacks ${codeOf(others)}, too, which its policy has for what some Ingresses or Services ask for.`;
    return { message: 'groups-of-vpc', told: [GROUPS_OF_VPC], also };
  }
  if (called.length > 0) return { message: 'features', told: called };
  const features = new Set(missing.flatMap((action) => idle(action)?.name ?? []));
  return { message: 'idle-features', told: missing, features: listOf([...features]) };
}

/** Listeners for TLS and UDP have none. Source: kubernetes-sigs/aws-load-balancer-controller, pkg/deploy/elbv2/listener_manager.go of v3.5.0. */
const ATTRIBUTES = 'elasticloadbalancing:DescribeListenerAttributes';

/** Source: kubernetes-sigs/aws-load-balancer-controller, pull request 3921 and issue 3917. */
const GROUPS_OF_VPC = 'ec2:GetSecurityGroupsForVpc';

/** What makes the controller answer for a Service, by its documentation, "Network Load Balancer". */
const TYPE_ANNOTATION = 'service.beta.kubernetes.io/aws-load-balancer-type';
const OWN_TYPES: readonly unknown[] = ['external', 'nlb-ip'];

/** Whether the input has a Service for which the controller makes a Network Load Balancer with a listener for TCP. */
function makesNetworkLoadBalancers(view: ClusterView): boolean {
  return objectsOf(view).some(({ object }) => {
    if (dataAt(object, 'kind') !== 'Service' || dataAt(object, 'spec', 'type') !== 'LoadBalancer') return false;
    const ports = dataAt(object, 'spec', 'ports');
    return (
      (dataAt(object, 'spec', 'loadBalancerClass') === 'service.k8s.aws/nlb' ||
        OWN_TYPES.includes(dataAt(object, 'metadata', 'annotations', TYPE_ANNOTATION))) &&
      Array.isArray(ports) &&
      (ports as readonly Data[]).some((port) => (dataAt(port, 'protocol') ?? 'TCP') === 'TCP')
    );
  });
}

/** Annotations with which an Ingress or a Service names security groups that somebody else has made. */
const GROUPS = {
  Ingress: 'alb.ingress.kubernetes.io/security-groups',
  Service: 'service.beta.kubernetes.io/aws-load-balancer-security-groups',
} as const;

/** Whether nothing in the input shows that security groups are given to the controller, so that it has to make them. */
function nobodyNamesGroups(controller: Controller, view: ClusterView): boolean {
  const { values, args } = controller;
  const shared = dataAt(values, 'backendSecurityGroup') ?? '';
  const isShared = dataAt(values, 'enableBackendSecurityGroup') ?? true;
  return (
    shared === '' &&
    (isShared === true || isShared === '') &&
    hasArgument(controller, 'backend-security-group') === 'no' &&
    !args.includes('--enable-backend-security-group=false') &&
    hasArgument(controller, 'enable-backend-security-group') !== 'maybe' &&
    !objectsOf(view).some(({ object }) => {
      const kind = dataAt(object, 'kind');
      return (
        (kind === 'Ingress' || kind === 'Service') &&
        dataAt(object, 'metadata', 'annotations', GROUPS[kind]) !== undefined
      );
    })
  );
}

const ADD_TAGS = 'elasticloadbalancing:AddTags';
const CLUSTER_TAG = 'elbv2.k8s.aws/cluster';
/** Conditions of {@link CLUSTER_TAG} that no request fulfils which makes something and tags it. */
const NEVER_ON_CREATE: ReadonlyMap<string, string> = new Map([
  [`aws:RequestTag/${CLUSTER_TAG}`, 'true'],
  [`aws:ResourceTag/${CLUSTER_TAG}`, 'false'],
]);

function isOnCreate({ condition }: ControllerStatement): boolean {
  return Object.values(condition ?? {}).some((keys) => Object.hasOwn(keys, 'elasticloadbalancing:CreateAction'));
}

/** What is tagged as it is made, and what makes it. */
const TAGGED = ['targetgroup/*', 'loadbalancer/app/*'];

/** Whether all that allows tags on target groups or load balancers asks for what requests that make them don't have. */
function tagsOnlyTagged(permissions: ControllerCase['permissions']): boolean {
  return TAGGED.some((what) => {
    const grants = permissions.grants(ADD_TAGS, `arn:*:elasticloadbalancing:*:*:${what}`);
    return (
      grants.length > 0 &&
      grants.every(
        ({ statement: { conditions }, certain }) =>
          certain &&
          !('kind' in conditions) &&
          conditions.some(
            ({ operator, key, values }) =>
              operator === 'Null' &&
              values.length > 0 &&
              values.every((value) =>
                alternativesOf(value).every(
                  ({ value: plain }) => plain.kind === 'known' && plain.value === NEVER_ON_CREATE.get(key),
                ),
              ),
          ),
      )
    );
  });
}

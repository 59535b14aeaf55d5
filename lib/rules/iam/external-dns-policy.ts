import { defineRule, resourceName } from '../../engine';
import {
  alternativesOf,
  casesOf,
  dataAt,
  hasArgument,
  isDataMap,
  textOf,
  type Controller,
  type PolicyStatement,
} from '../../eks';
import { externalDnsActions } from '../../knowledge';
import { listOf } from '../../text/in-words';
import {
  actionsInCode,
  allowedElsewhere,
  codeOf,
  inlinePolicyCode,
  judgeControllerRoles,
  lackOf,
  resourcesAllowed,
  type ControllerCase,
  type ControllerOutcome,
} from './parts/controller-judgements';

/*
 * ExternalDNS lists all hosted zones before it looks at any of them, whatever it is told to filter by, and that call knows no single zones.
 * Source: kubernetes-sigs/external-dns, docs/tutorials/aws.md and provider/aws/aws.go; AWS Service Authorization Reference, Route 53.
 */

type Message = 'missing' | 'narrowed' | 'tag-filter' | 'every-zone';

const LIST_ZONES = 'route53:ListHostedZones';

const code = inlinePolicyCode('ExternalDnsMore');

export const externalDnsPolicy = defineRule<Message>({
  id: 'external-dns-policy',
  subject: 'iam',
  title: "ExternalDNS's role may list zones and change the records of its own ones",
  severity: 'error',
  since: '0.1.0',
  messages: {
    missing: {
      text: 'Role {{role}} lacks {{missing}}{{elsewhere}}, which ExternalDNS ("{{controller}}") calls in every round: it logs AccessDenied, and no record is made or kept up.',
      fix: {
        summary:
          'Allow `route53:ChangeResourceRecordSets` and `route53:ListResourceRecordSets` on the ARNs of its hosted zones, and `route53:ListHostedZones` on `*`.',
        safety: 'needs-decision',
      },
    },
    narrowed: {
      text: 'Role {{role}} allows {{action}} on {{resources}} only, but the call knows no single zones: ExternalDNS ("{{controller}}") gets AccessDenied in every round, and no record is made or kept up.',
      fix: { summary: 'Allow {{action}} on `*`, in a statement of its own.', code, safety: 'needs-decision' },
    },
    'tag-filter': {
      text: 'Role {{role}} lacks {{action}}, which ExternalDNS {{version}} ("{{controller}}") calls because it chooses zones by tag: it logs `failed to list tags for zones` and makes no record.',
      fix: { summary: 'Allow {{action}} on the hosted zones.', code, safety: 'needs-decision' },
    },
    'every-zone': {
      text: 'Role {{role}} lets ExternalDNS ("{{controller}}") change records of every hosted zone of the account: whoever may create an Ingress or Service in the cluster can take over names of any of them.',
      fix: {
        summary:
          'Allow `route53:ChangeResourceRecordSets` on the ARNs of its own hosted zones only, `arn:aws:route53:::hostedzone/<id>`, or under a condition on the names of records.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeControllerRoles<Message>(model, 'external-dns', judge, isForRoute53);
  },
});

type Outcome = ControllerOutcome<Message>;

/** It serves other clouds and servers as well; and with a role that it assumes, its own one needs none of this. */
function isForRoute53(controller: Controller): boolean {
  const { resource, values, args } = controller;
  if (hasArgument(controller, 'aws-assume-role') !== 'no' || hasArgument(controller, 'aws-profile') !== 'no')
    return false;
  if (resource.kind === 'manifest') return args.includes('--provider=aws') || args.includes('aws');
  const provider = dataAt(values, 'provider');
  const name = isDataMap(provider) ? dataAt(provider, 'name') : provider;
  const assumed = dataAt(values, 'aws', 'assumeRoleArn') ?? '';
  return (name === undefined || name === null || name === 'aws') && assumed === '';
}

function judge(one: ControllerCase): readonly Outcome[] {
  const { controller, role, permissions, when } = one;
  const { onHostedZones, onStar } = externalDnsActions(undefined);
  const data = { role: resourceName(role), controller: resourceName(controller.resource) };
  const { missing, unknown, reasons } = lackOf(permissions, [...onHostedZones, ...onStar]);
  const narrowed = missing.length === 1 && missing[0] === LIST_ZONES ? resourcesAllowed(role, missing) : [];
  if (narrowed.length > 0)
    return [
      {
        verdict: 'fail',
        message: 'narrowed',
        data: { ...data, action: `\`${LIST_ZONES}\``, resources: codeOf(narrowed), ...actionsInCode([LIST_ZONES]) },
        when,
      },
    ];
  if (missing.length > 0)
    return [
      {
        verdict: 'fail',
        message: 'missing',
        data: { ...data, missing: codeOf(missing), elsewhere: allowedElsewhere(role, missing) },
        when,
      },
    ];
  if (unknown.length > 0)
    return [
      {
        verdict: 'unverifiable',
        reason: `whether it may do ${listOf(unknown)} is not known (${reasons.join('; ')})`,
        when,
      },
    ];
  const byTag = judgeTagFilter(one, data);
  return byTag.length > 0 ? byTag : judgeWidth(one, data);
}

function judgeTagFilter(
  { controller, permissions, when: given }: ControllerCase,
  data: Readonly<Record<string, string>>,
): readonly Outcome[] {
  const filter = hasArgument(controller, 'aws-zone-tags');
  const tags = dataAt(controller.values, 'aws', 'zoneTags');
  if (filter !== 'yes' && !(Array.isArray(tags) && tags.length > 0)) return [];
  return casesOf(controller.resource, { version: controller.version }, given).flatMap(
    ({ when, values: { version } }): readonly Outcome[] => {
      const action = version.kind === 'known' ? externalDnsActions(version.value).withTagFilter : undefined;
      if (version.kind !== 'known' || action === undefined)
        return [
          {
            verdict: 'unverifiable',
            reason: `which permission its zone tag filter needs depends on its version${version.kind === 'unknown' ? `: ${version.reason}` : ''}`,
            when,
          },
        ];
      if (permissions.allows(action) !== 'denied') return [];
      return [
        {
          verdict: 'fail',
          message: 'tag-filter',
          data: { ...data, action: `\`${action}\``, version: version.value, ...actionsInCode([action]) },
          when,
        },
      ];
    },
  );
}

const CHANGE = 'route53:ChangeResourceRecordSets';

/** Zones of all kinds, told by the end of a pattern. */
const EVERY_ZONE = /^(?:\*|arn:[^:]*:route53:::(?:hostedzone\/)?\*)$/;

function judgeWidth({ permissions, when }: ControllerCase, data: Readonly<Record<string, string>>): readonly Outcome[] {
  const wide = permissions.grants(CHANGE).find(({ statement, certain }) => certain && isUnbounded(statement));
  return wide === undefined
    ? [{ verdict: 'pass', when }]
    : [{ verdict: 'fail', message: 'every-zone', severity: 'warning', data, source: wide.statement.source, when }];
}

function isUnbounded({ resources, conditions }: PolicyStatement): boolean {
  // Whatever a condition is about, somebody has thought of bounds.
  if ('kind' in conditions || conditions.length > 0) return false;
  return resources.some((resource) =>
    alternativesOf(resource).every(({ value }) =>
      EVERY_ZONE.test((textOf(value) ?? '').replaceAll(/\$\{[^}]*\}/g, 'x')),
    ),
  );
}

import { defineRule, resourceName } from '../../engine';
import {
  alternativesOf,
  casesOf,
  dataAt,
  hasArgument,
  isDataMap,
  nowhere,
  textOf,
  Unknown,
  type Controller,
  type Data,
  type PolicyStatement,
  type Value,
} from '../../eks';
import { awsManagedPolicyName, externalDnsActions } from '../../knowledge';
import { listOf } from '../../text/in-words';
import {
  allowedElsewhere,
  codeOf,
  judgeControllerRoles,
  lackOf,
  resourcesAllowed,
  type ControllerCase,
  type ControllerOutcome,
} from './parts/controller-judgements';
import { unverifiable } from '../parts/case-judgements';
import { inlinePolicyCode, statementsInCode } from './parts/inline-policy-code';

/*
 * Records that ExternalDNS hasn't made are safe from it where a registry tells whose they are, and that is the default.
 *
 * ExternalDNS lists all hosted zones before it looks at any of them, whatever it is told to filter by, and that call knows no single zones.
 * Source: kubernetes-sigs/external-dns, docs/tutorials/aws.md and provider/aws/aws.go; AWS Service Authorization Reference, Route 53.
 */

type Message = 'missing' | 'narrowed' | 'tag-filter' | 'every-zone' | 'every-zone-by-role';

const LIST_ZONES = 'route53:ListHostedZones';

const code = inlinePolicyCode('ExternalDnsMore');

const narrowing = {
  summary:
    '{{place}} the zones that ExternalDNS is for, each as `arn:{{partition}}:route53:::hostedzone/<id>`: `aws route53 list-hosted-zones --query HostedZones[].[Id,Name]` tells their ids. Or put the statement under a condition on the names of records.',
  safety: 'needs-decision',
} as const;

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
      text: 'Role {{role}} lets ExternalDNS ("{{controller}}") change records of every hosted zone of the account, and {{untold}}: whoever may create {{objects}} in the cluster can {{harm}}.',
      fix: narrowing,
    },
    'every-zone-by-role': {
      text: 'Role {{role}} may change records of every hosted zone of the account: ExternalDNS ("{{controller}}") {{keeps}}, but who gets hold of its credentials is bound by the role alone.',
      fix: narrowing,
    },
  },
  *check(model) {
    yield* judgeControllerRoles<Message>(model, 'external-dns', judge, isForRoute53);
  },
});

/** It serves other clouds and servers as well; and with a role that it assumes, its own one needs none of this. A text tells why that isn't known. */
function isForRoute53(controller: Controller): boolean | string {
  const { values, args } = controller;
  const provider = providerOf(controller);
  const assumed = dataAt(values, 'aws', 'assumeRoleArn') ?? '';
  const elsewhere = [
    ...['aws-assume-role', 'aws-profile'].map((argument) => hasArgument(controller, argument)),
    hasOwnCredentials(controller),
  ];
  if (elsewhere.includes('yes') || (typeof assumed === 'string' && assumed !== '')) return false;
  if (
    values === undefined
      ? !args.includes('--provider=aws') && !args.includes('aws')
      : typeof provider === 'string' && provider !== 'aws'
  )
    return false;
  const isOpen = elsewhere.includes('maybe') || assumed instanceof Unknown || provider instanceof Unknown;
  return isOpen ? 'whether it calls Route 53 with its own role is not known, because its settings are not' : true;
}

/** Those that the SDK of AWS takes before it asks for the role of the service account. Source: aws/aws-sdk-go-v2, config/resolve_credentials.go. */
const CREDENTIALS = /^AWS_(?:ACCESS_KEY_ID|PROFILE|SHARED_CREDENTIALS_FILE|CONFIG_FILE)$/;

function hasOwnCredentials({ values, variables }: Controller): 'yes' | 'no' | 'maybe' {
  const given = ['accessKey', 'secretName'].map((key) => dataAt(values, 'aws', 'credentials', key));
  const isGiven = given.some((value) => typeof value === 'string' && value !== '');
  if (isGiven || variables.some((name) => CREDENTIALS.test(name))) return 'yes';
  return given.some((value) => value instanceof Unknown) ? 'maybe' : 'no';
}

function providerOf({ values }: Controller): Data | undefined {
  const provider = dataAt(values, 'provider');
  return isDataMap(provider) ? dataAt(provider, 'name') : provider;
}

function judge(one: ControllerCase): readonly ControllerOutcome<Message>[] {
  const { controller, role, permissions, when } = one;
  const { onHostedZones, onStar } = externalDnsActions(undefined);
  const data = { role: resourceName(role), controller: resourceName(controller.resource) };
  const isDry = isDryRun(controller);
  const asked = [...onHostedZones, ...onStar].filter((action) => isDry !== 'yes' || action !== CHANGE);
  const { missing, unknown, reasons } = lackOf(permissions, asked);
  const narrowed = missing.length === 1 && missing[0] === LIST_ZONES ? resourcesAllowed(role, missing) : [];
  if (narrowed.length > 0)
    return [
      {
        verdict: 'fail',
        message: 'narrowed',
        data: { ...data, action: `\`${LIST_ZONES}\``, resources: codeOf(narrowed), ...codeFor(LIST_ZONES) },
        when,
      },
    ];
  if (isDry === 'maybe' && missing.length === 1 && missing[0] === CHANGE)
    return [{ ...unverifiable('whether it only tells what it would change is not known'), when }];
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
    return [{ ...unverifiable(`whether it may do ${listOf(unknown)} is not known (${reasons.join('; ')})`), when }];
  const byTag = judgeTagFilter(one, data);
  if (byTag.length > 0) return byTag;
  return isDry === 'yes' ? [{ verdict: 'pass', when }] : judgeWidth(one, data);
}

/** It then changes no record. */
function isDryRun(controller: Controller): 'yes' | 'no' | 'maybe' {
  if (controller.args.includes('--dry-run=false')) return 'no';
  return dataAt(controller.values, 'dryRun') === true ? 'yes' : hasArgument(controller, 'dry-run');
}

function judgeTagFilter(
  { controller, permissions, when: given }: ControllerCase,
  data: Readonly<Record<string, string>>,
): readonly ControllerOutcome<Message>[] {
  const filter = hasArgument(controller, 'aws-zone-tags');
  const tags = dataAt(controller.values, 'aws', 'zoneTags');
  if (filter !== 'yes' && !(Array.isArray(tags) && tags.length > 0)) return [];
  return casesOf(controller.resource, { version: controller.version }, given).flatMap(
    ({ when, values: { version } }): readonly ControllerOutcome<Message>[] => {
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
          data: { ...data, action: `\`${action}\``, version: version.value, ...codeFor(action) },
          when,
        },
      ];
    },
  );
}

function codeFor(action: string): Record<string, string> {
  return statementsInCode([{ actions: [action], resources: ['*'] }]);
}

const CHANGE = 'route53:ChangeResourceRecordSets';

/** Zones of all kinds, told by the end of a pattern. */
const EVERY_ZONE = /^(?:\*|arn:[^:]*:route53:::(?:hostedzone\/)?\*)$/;

function judgeWidth(
  { controller, permissions, when }: ControllerCase,
  data: Readonly<Record<string, string>>,
): readonly ControllerOutcome<Message>[] {
  const wide = permissions.grants(CHANGE).find(({ statement, certain }) => certain && isUnbounded(statement));
  if (wide === undefined) return [{ verdict: 'pass', when }];
  const { source } = wide.statement;
  // A policy of AWS stands nowhere in the input.
  const common = { verdict: 'fail', when, ...(source === nowhere ? {} : { source }) } as const;
  const every = wide.statement.resources.flatMap((resource) => textsOfEveryZone(resource));
  const given = {
    ...data,
    place: placeOfZones(wide, codeOf(every), permissions.grants(LIST_ZONES)),
    partition: /^arn:(aws[\w-]*):/.exec(every[0] ?? '')?.[1] ?? 'aws',
  };
  const filters = FILTERS.map((filter) => ({ ...filter, is: isGiven(controller, filter) }));
  const sure = filters
    .filter(({ is }) => is === 'yes')
    .map(({ argument, value }) => wordOf(controller, argument, value));
  if (sure.length > 0 || filters.some(({ is }) => is === 'maybe')) {
    const keeps =
      sure.length > 0
        ? `keeps to those that ${codeOf(sure)} ${sure.length > 1 ? 'let' : 'lets'} through`
        : 'may keep to some, by settings that are not known';
    return [{ ...common, message: 'every-zone-by-role', severity: 'info', data: { ...given, keeps } }];
  }
  const words = { untold: untoldBy(controller), objects: objectsRead(controller), harm: harmBy(controller) };
  return [{ ...common, message: 'every-zone', severity: 'warning', data: { ...given, ...words } }];
}

/** A statement that allows something. */
type Given = ReturnType<ControllerCase['permissions']['grants']>[number];

/** Where zones are to be written: nobody can change a policy of AWS, and the list of zones stays on all of them. */
function placeOfZones({ policy, statement }: Given, wide: string, listing: readonly Given[]): string {
  const isListed = listing.some((grant) => grant.certain && grant.statement !== statement);
  const name =
    policy.kind === 'managed'
      ? alternativesOf(policy.arn).flatMap(({ value }) => awsManagedPolicyName(textOf(value) ?? '') ?? [])[0]
      : undefined;
  const first = isListed ? '' : `Allow \`${LIST_ZONES}\` on \`*\` in a statement of its own. `;
  return name === undefined
    ? `${first}In the statement that allows \`${CHANGE}\`, write in the place of ${wide}`
    : `Attach a policy of your own in the place of \`${name}\`: \`${LIST_ZONES}\` on \`*\`, and \`${CHANGE}\` and \`route53:ListResourceRecordSets\` on`;
}

/** A setting with which it looks at some zones only, as argument and in the values of charts. */
interface Filter {
  readonly argument: string;
  readonly value: readonly string[];
}

const FILTERS: readonly Filter[] = [
  { argument: 'domain-filter', value: ['domainFilters'] },
  { argument: 'regex-domain-filter', value: ['regexDomainFilter'] },
  { argument: 'zone-id-filter', value: ['zoneIdFilters'] },
  { argument: 'aws-zone-tags', value: ['aws', 'zoneTags'] },
];

/** All public zones are still many, and all private ones. */
const ZONE_TYPE: Filter = { argument: 'aws-zone-type', value: ['aws', 'zoneType'] };

function isGiven(controller: Controller, { argument, value }: Filter): 'yes' | 'no' | 'maybe' {
  const inArguments = hasArgument(controller, argument);
  const data = dataAt(controller.values, ...value);
  if (inArguments === 'yes' || (typeof data === 'string' && data !== '') || (Array.isArray(data) && data.length > 0))
    return 'yes';
  return inArguments === 'maybe' || data instanceof Unknown ? 'maybe' : 'no';
}

/** That no filter is given; a setting that looks like one is named, because its chart does not read it. */
function untoldBy(controller: Controller): string {
  const { values } = controller;
  const meant = (isDataMap(values) ? Object.keys(values) : []).flatMap((key) => {
    const [filter] = FILTERS.flatMap(({ value: [name = ''] }) => (isAlike(key, name) ? [name] : []));
    return filter === undefined ? [] : [`\`${key}\`, which its chart does not read, is called \`${filter}\``];
  });
  const [first] = meant;
  const { argument, value } = ZONE_TYPE;
  const but = isGiven(controller, ZONE_TYPE) === 'no' ? '' : ` but \`${wordOf(controller, argument, value)}\``;
  return `nothing here${but} tells it to keep to some${first === undefined ? '' : ` (${first})`}`;
}

/** Whether a key differs from a name by its case, by signs or by the plural: `domainFilter`, `domain-filters`. */
function isAlike(key: string, name: string): boolean {
  const bare = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z]/g, '')
      .replace(/s$/, '');
  return key !== name && bare(key) === bare(name);
}

/** What it makes records of, by its sources. Source: kubernetes-sigs/external-dns, source/store.go. */
const OBJECTS: ReadonlyMap<string, string> = new Map([
  ['ingress', 'an Ingress'],
  ['service', 'a Service'],
  ['gateway-httproute', 'an HTTPRoute'],
  ['gateway-grpcroute', 'a GRPCRoute'],
  ['gateway-tlsroute', 'a TLSRoute'],
  ['gateway-tcproute', 'a TCPRoute'],
  ['gateway-udproute', 'a UDPRoute'],
  ['istio-gateway', 'a Gateway of Istio'],
  ['istio-virtualservice', 'a VirtualService'],
  ['crd', 'a DNSEndpoint'],
  ['pod', 'a Pod'],
]);

/** Whose makers have names made. Charts without a word read Ingresses and Services. */
function objectsRead({ values, args }: Controller): string {
  const listed = dataAt(values, 'sources');
  const sources = [
    ...(Array.isArray(listed) ? (listed as readonly Data[]) : []),
    ...args.flatMap((one) => (typeof one === 'string' && one.startsWith('--source=') ? [one.slice(9)] : [])),
  ];
  const objects = sources.map((source) => (typeof source === 'string' ? OBJECTS.get(source) : undefined));
  const known = objects.filter((object) => object !== undefined);
  if (known.length < objects.length) return 'what it makes records of';
  return known.length === 0 ? 'an Ingress or a Service' : known.join(' or ');
}

function wordOf(controller: Controller, argument: string, value: readonly string[]): string {
  return hasArgument(controller, argument) === 'yes' ? `--${argument}` : value.join('.');
}

/** What a name of another's comes to: with a registry ExternalDNS leaves alone what isn't marked as its own. */
function harmBy(controller: Controller): string {
  const registry = settingOf(controller, 'registry', 'registry');
  if (registry === 'noop') return 'take over any name of them, because it has no registry that tells whose a record is';
  if (registry instanceof Unknown)
    return 'have names of any of them made, and take over those that its registry does not guard';
  const owner = settingOf(controller, 'txt-owner-id', 'txtOwnerId') ?? 'default';
  const marked = typeof owner === 'string' ? `those of owner \`${owner}\`` : 'its own';
  return `have any name of them made that is not taken yet (records that its registry has not marked as ${marked} stay as they are)`;
}

function settingOf({ values, args }: Controller, argument: string, value: string): string | Unknown | undefined {
  const written = args.flatMap((one, index) =>
    one === `--${argument}`
      ? [args[index + 1]]
      : typeof one === 'string' && one.startsWith(`--${argument}=`)
        ? [one.slice(argument.length + 3)]
        : [],
  );
  const data = written[0] ?? dataAt(values, value);
  return data instanceof Unknown || (typeof data === 'string' && data !== '') ? data : undefined;
}

function isUnbounded({ resources, conditions }: PolicyStatement): boolean {
  // Whatever a condition is about, somebody has thought of bounds.
  if ('kind' in conditions || conditions.length > 0) return false;
  return resources.some((resource) => textsOfEveryZone(resource).length > 0);
}

/** The texts of a resource that all of them stand for every zone; none where one doesn't. */
function textsOfEveryZone(resource: Value<string>): readonly string[] {
  const texts = alternativesOf(resource).map(({ value }) => textOf(value) ?? '');
  return texts.every((text) => EVERY_ZONE.test(text.replaceAll(/\$\{[^}]*\}/g, 'x'))) ? texts : [];
}

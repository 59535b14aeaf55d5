import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  alternativesOf,
  casesOf,
  inNameOrder,
  networksOf,
  sourceOf,
  type ClusterView,
  type Networks,
  type Plain,
  type Resource,
  type VpcEndpoint,
  type When,
} from '../../eks';
import { coverageOf, groupsOf } from '../../eks/analysis/endpoint-coverage';
import { listOf } from '../../text/in-words';
import { endpointCode } from './parts/endpoint-code';
import { Places, wordsFor, counted, relatedTo, usersInWords, type User, type Place } from './parts/closed-subnets';
import { servicesFor, Identities, type Need } from './parts/endpoint-needs';

/*
 * Without a way out of their subnets nodes reach AWS by endpoints of their VPC alone. Sources: Amazon EKS user guide, "Deploy private clusters with
 * limited internet access" and "Set up the Amazon EKS Pod Identity Agent"; awslabs/amazon-eks-ami, nodeadm/internal/api/status.go (EC2 tells a node its
 * name); aws/amazon-vpc-cni-k8s, README.md.
 */

type Message = 'missing' | 'private-dns' | 'security-group' | 'route-table' | 'private-access';

export const clusterPrivateEndpoints = defineRule<Message>({
  id: 'cluster-private-endpoints',
  subject: 'node-group',
  title: 'Nodes and pods without a way out reach the services that they need by endpoints of their VPC',
  severity: 'warning',
  since: '0.1.0',
  // Nodes that run have found their way, and the answers about a cluster don't tell of routes.
  isAboutCode: true,
  messages: {
    missing: {
      text: 'No route leads out of {{subnets}}, where {{users}} start, and VPC "{{vpc}}" has no endpoint for {{services}}: {{effects}}.',
      fix: {
        summary:
          'Create the endpoints in VPC "{{vpc}}": interface endpoints with private DNS whose security group lets nodes and pods in on port 443, and for S3 a gateway endpoint in the route tables of these subnets. A NAT gateway is the other way.',
        code: {
          cloudformation: '{{inTemplate}}',
          'aws-cdk': '{{inCdk}}',
          terraform: '{{inTerraform}}',
          'terraform-module': '{{inTerraform}}',
        },
        safety: 'needs-decision',
      },
    },
    'private-dns': {
      text: 'Private DNS is off for {{endpoints}} ({{services}}): the usual name of the service leads to public addresses, and no route leads out of {{subnets}}, where {{users}} start.',
      fix: {
        summary: 'Turn private DNS on.',
        code: {
          cloudformation: 'PrivateDnsEnabled: true',
          'aws-cdk': 'privateDnsEnabled: true,',
          terraform: 'private_dns_enabled = true',
        },
        safety: 'needs-decision',
      },
    },
    'security-group': {
      text: 'The security groups of {{endpoints}} ({{services}}) let nobody in on port 443, and no route leads out of {{subnets}}, where {{users}} start: what they ask these services for times out.',
      fix: {
        summary:
          'Add a rule for port 443 to the security group of the endpoints, from the range of the VPC or from the security group of the nodes.',
        safety: 'needs-decision',
      },
    },
    'route-table': {
      text: "Gateway {{endpoints}} for S3 isn't in the route table of {{subnets}}, and no other route leads out of there, where {{users}} start: ECR hands out the layers of images from S3, so none is pulled.",
      fix: { summary: 'Add the route table of {{subnets}} to those of the endpoint.', safety: 'needs-decision' },
    },
    'private-access': {
      text: 'Cluster "{{cluster}}" has no private access to its API server, and no route leads out of {{subnets}}, where {{users}} start: they can\'t reach the API server, and never join.',
      fix: {
        summary: "Turn private access of the cluster's endpoint on. Public access can stay as it is.",
        code: {
          cloudformation: 'ResourcesVpcConfig:\n  EndpointPrivateAccess: true',
          'aws-cdk': 'endpointAccess: eks.EndpointAccess.PUBLIC_AND_PRIVATE,',
          terraform: 'vpc_config {\n  endpoint_private_access = true\n}',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    const networks = networksOf(model);
    const identities = new Identities(model);
    for (const view of model.clusterViews) {
      // Those of a local cluster are on the Outpost, with ways of their own.
      if (view.cluster !== undefined && view.cluster.onOutpost.kind !== 'absent') continue;
      const places = new Places();
      const doubts = new Doubts();
      for (const user of [...view.nodeGroups, ...view.selfManagedNodeGroups, ...view.fargateProfiles])
        yield* lookUp(user, networks, places, doubts);
      yield* doubts.told();
      for (const place of places) {
        yield* judgeAccess(place, view);
        yield* judgeEndpoints(place, servicesFor(place, view, identities), view, networks);
      }
    }
  },
});

/** Where a group or a profile is, as far as its subnets are part of the input. */
function* lookUp(user: User, networks: Networks, places: Places, doubts: Doubts): Generator<Judgement<Message>> {
  for (const { when, values } of casesOf(user, { subnets: user.subnets })) {
    const { subnets } = values;
    const given = user.exists.and(when);
    if (subnets.kind !== 'known' || given === undefined) continue;
    let isClosed = false;
    let isOpen = false;
    const unknown: string[] = [];
    for (const item of subnets.value)
      for (const { value, when: chosen } of alternativesOf(item)) {
        const subnet = value.kind === 'known' ? value.value.target : undefined;
        const both = subnet === undefined ? undefined : given.and(chosen)?.and(subnet.exists);
        if (subnet === undefined || both === undefined) continue;
        for (const way of networks.waysOutOf(subnet, both)) {
          if (way.kind === 'open') isOpen = true;
          else if (way.kind === 'unknown') unknown.push(`of subnet ${resourceName(subnet)}, ${way.reason}`);
          else {
            isClosed = true;
            places.add(user, subnet, way);
          }
        }
      }
    const [first] = unknown;
    if (isClosed) continue;
    if (first !== undefined) doubts.add(user, first);
    else if (isOpen) yield { resource: user, source: subnets.source, when, verdict: 'pass' };
  }
}

/** What isn't known of the ways out of a cluster's groups and profiles: mostly the same of all of them, which is told once. */
class Doubts {
  private readonly byReason = new Map<string, Set<User>>();

  add(user: User, reason: string): void {
    const users = this.byReason.get(reason);
    if (users === undefined) this.byReason.set(reason, new Set([user]));
    else users.add(user);
  }

  *told(): Generator<Judgement<Message>> {
    for (const [reason, users] of this.byReason) {
      const [first, ...others] = users;
      if (first === undefined) continue;
      const whose = others.length === 0 ? 'its subnets' : `the subnets of ${usersInWords([...users])}`;
      yield {
        resource: first,
        source: sourceOf(first.subnets),
        verdict: 'unverifiable',
        reason: `whether anything leads out of ${whose} isn't known: ${reason}`,
      };
    }
  }
}

/** Endpoints that are written in one place, of which the same is said. */
interface Faulty {
  readonly message: 'private-dns' | 'security-group' | 'route-table';
  readonly endpoints: Set<VpcEndpoint>;
  readonly services: Set<string>;
}

function placeOf({ source }: Resource): string {
  const { file, line, column } = source.locate();
  return `${file}:${line}:${column}`;
}

function* judgeEndpoints(
  place: Place,
  needs: readonly Need[],
  view: ClusterView,
  networks: Networks,
): Generator<Judgement<Message>> {
  const { vpc, doubt } = place;
  const missing = new Map<string, { readonly when: When; readonly needs: Need[] }>();
  const faulty = new Map<string, Faulty>();
  const open: string[] = [];
  for (const need of needs)
    for (const table of place.tables) {
      const { lacking, doubt: unsure, ...found } = coverageOf(need.service, { ...place, table }, networks);
      const { withoutDns, elsewhere, shut } = found;
      if (lacking.length === 0) continue;
      if (unsure !== undefined) open.push(unsure);
      else if (withoutDns.length > 0 && networks.hasOwnZones)
        open.push(`a hosted zone may give the name of ${need.service} to an endpoint without private DNS`);
      else if (withoutDns.length + elsewhere.length + shut.length > 0)
        for (const endpoint of [...withoutDns, ...elsewhere, ...shut]) {
          const message = withoutDns.includes(endpoint)
            ? 'private-dns'
            : shut.includes(endpoint)
              ? 'security-group'
              : 'route-table';
          // Several endpoints mostly share one security group, which is one defect.
          const key = `${message} ${message === 'security-group' ? (groupsOf(endpoint.securityGroups) ?? []).map(placeOf).join() : placeOf(endpoint)}`;
          const known = faulty.get(key) ?? { message, endpoints: new Set(), services: new Set() };
          faulty.set(key, known);
          known.endpoints.add(endpoint);
          known.services.add(need.service);
        }
      else
        for (const when of lacking) {
          const known = missing.get(when.text) ?? { when, needs: [] };
          missing.set(when.text, known);
          if (!known.needs.includes(need)) known.needs.push(need);
        }
    }
  const common = { resource: vpc, source: vpc.source, about: view.name };
  const [first] = open;
  if (missing.size + faulty.size === 0 && first === undefined) {
    yield { ...common, when: place.when, verdict: 'pass' };
    return;
  }
  if (doubt !== undefined || (missing.size + faulty.size === 0 && first !== undefined)) {
    const reason = doubt ?? first ?? '';
    yield {
      ...common,
      when: place.when,
      verdict: 'unverifiable',
      reason: `whether it has all the endpoints that ${wordsFor(place).users} need, which have no other way out, isn't known: ${reason}`,
    };
    return;
  }
  const data = wordsFor(place);
  const related = relatedTo(place);
  for (const { message, endpoints, services } of faulty.values()) {
    const [endpoint] = inNameOrder([...endpoints], (one) => one);
    if (endpoint === undefined) continue;
    yield {
      resource: endpoint,
      source: sourceOf(
        message === 'private-dns'
          ? endpoint.privateDns
          : message === 'security-group'
            ? endpoint.securityGroups
            : endpoint.routeTables,
      ),
      when: place.when,
      verdict: 'fail',
      message,
      about: view.name,
      data: { ...data, endpoints: counted('endpoint', [...endpoints]), services: listOf([...services]) },
      related,
    };
  }
  for (const { when, needs: some } of missing.values()) {
    const services = some.map(({ service }) => service);
    yield {
      ...common,
      when,
      verdict: 'fail',
      message: 'missing',
      data: {
        ...data,
        services: listOf(services),
        effects: [...new Set(some.map(({ effect }) => effect))].join('; '),
        ...endpointCode(
          vpc,
          inNameOrder([...place.subnets], (one) => one),
          [...place.tables],
          services,
        ),
      },
      related,
    };
  }
}

/** A cluster with public access alone has its API server out there. */
function* judgeAccess(place: Place, { cluster }: ClusterView): Generator<Judgement<Message>> {
  if (cluster === undefined) return;
  for (const { when, values } of casesOf(cluster, { access: cluster.endpointPrivateAccess }, place.when)) {
    const { access } = values;
    const common = { resource: cluster, source: access.source, when };
    if (access.kind === 'unknown' || (place.doubt !== undefined && !isOn(access)))
      yield {
        ...common,
        verdict: 'unverifiable',
        reason: `whether ${wordsFor(place).users}, which have no way out of their subnets, reach its API server isn't known: ${
          access.kind === 'unknown' ? access.reason : (place.doubt ?? '')
        }`,
      };
    else if (!isOn(access))
      yield {
        ...common,
        verdict: 'fail',
        message: 'private-access',
        data: { ...wordsFor(place), cluster: resourceName(cluster) },
        related: relatedTo(place),
      };
    else yield { ...common, verdict: 'pass' };
  }
}

function isOn(flag: Plain<boolean>): boolean {
  return flag.kind === 'known' && flag.value;
}

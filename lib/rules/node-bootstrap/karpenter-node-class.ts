import { defineRule, type Judgement } from '../../engine';
import { casesOf, dataAt, PERHAPS_PATCH, placeIn, Unknown, type Data } from '../../eks';
import { LAST_AL2 } from '../../knowledge';
import { parseMinor } from '../../knowledge/versions';
import {
  judgeName,
  judgeObjects,
  judgeProblems,
  KARPENTER_MESSAGES,
  type KarpenterObject,
} from './parts/karpenter-objects';
import { AMI_TERMS, isPatchOfClass, nodeClassProblems } from './parts/node-class-problems';

/*
 * Node classes that the API server refuses, of an API that the Karpenter of the cluster doesn't serve, or that find no AMI.
 * Source: aws/karpenter-provider-aws, pkg/apis/crds of 0.32 to 1.14; EKS user guide, "Amazon EKS AL2 & AL2-accelerated AMIs transition".
 */

export const karpenterNodeClass = defineRule<Message>({
  id: 'karpenter-node-class',
  subject: 'node-bootstrap',
  title: "Karpenter's node classes are ones that its API takes, and that find an AMI",
  severity: 'error',
  since: '0.1.0',
  // What runs has been taken, and its conditions tell what it lacks.
  isAboutCode: true,
  messages: {
    ...KARPENTER_MESSAGES,
    al2: {
      text: 'EC2NodeClass "{{name}}" takes AMIs of Amazon Linux 2, of which EKS publishes none for Kubernetes {{version}}: 1.32 was the last version. Karpenter finds no AMI and starts no node with it.',
      fix: {
        summary:
          'Take an alias of `al2023` or `bottlerocket`; user data that calls `bootstrap.sh`, or changes its settings, needs a NodeConfig instead.',
        code: { kubernetes: AMI_TERMS },
        safety: 'needs-decision',
      },
    },
    release: {
      text: 'EC2NodeClass "{{name}}" has the AMI alias `{{alias}}`, whose version is neither `latest` nor of the form `{{form}}`. The API server takes it, but Karpenter finds no AMI and starts no node with it.',
      fix: {
        summary: 'Write `{{family}}@latest`, or a release that you have tried, such as `{{family}}@{{form}}`.',
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeObjects<Message>(model, ['EC2NodeClass', 'AWSNodeTemplate'], function* (object) {
      yield* judgeName(object);
      yield* judgeProblems(object, nodeClassProblems(object));
      yield* judgeAl2(object);
      yield* judgeRelease(object);
      if (isPatchOfClass(object)) yield { resource: object.manifest, verdict: 'unverifiable', reason: PERHAPS_PATCH };
    });
  },
});

type Message = keyof typeof KARPENTER_MESSAGES | 'al2' | 'release';

/**
 * How releases are called in the parameters at which Karpenter looks an alias up; what may stand behind that is left open.
 * Source: aws/karpenter-provider-aws, pkg/providers/amifamily/al2.go and al2023.go, whose parameters
 * end in it, and bottlerocket.go, which takes a `v` before it off.
 */
const RELEASES: ReadonlyMap<string, { readonly pattern: RegExp; readonly form: string }> = new Map([
  ['al2', { pattern: /^v\d{8}/, form: 'v20250920' }],
  ['al2023', { pattern: /^v\d{8}/, form: 'v20250920' }],
  ['bottlerocket', { pattern: /^v?\d{1,4}(?!\d)/, form: 'v1.20.3' }],
]);

/** What has other characters, or capitals, such as `$VERSION` and `AMI_VERSION`, is for somebody to fill in. */
const ALIAS = /^(\w+)@([a-z\d.-]+)$/;

function* judgeRelease({ manifest, name }: KarpenterObject): Generator<Judgement<Message>> {
  const terms = dataAt(manifest.object, 'spec', 'amiSelectorTerms');
  if (!Array.isArray(terms)) return;
  for (const [index, term] of (terms as readonly Data[]).entries()) {
    const alias = dataAt(term, 'alias');
    const [, family = '', version = ''] = typeof alias === 'string' ? (ALIAS.exec(alias) ?? []) : [];
    const release = RELEASES.get(family);
    if (typeof alias !== 'string' || release === undefined) continue;
    if (version === 'latest' || release.pattern.test(version)) continue;
    yield {
      resource: manifest,
      source: placeIn(manifest, 'spec', 'amiSelectorTerms', String(index), 'alias'),
      verdict: 'fail',
      message: 'release',
      data: { name, alias, family, form: release.form },
    };
  }
}

/** The AMIs that EKS publishes. Those of somebody's own may be for whatever version. */
function* judgeAl2({ manifest, view, name }: KarpenterObject): Generator<Judgement<Message>> {
  const [{ object }, { cluster }] = [manifest, view];
  const terms = dataAt(object, 'spec', 'amiSelectorTerms');
  const list = Array.isArray(terms) ? (terms as readonly Data[]) : [];
  const index = list.findIndex((term) => {
    const alias = dataAt(term, 'alias');
    return !(alias instanceof Unknown) && typeof alias === 'string' && alias.startsWith('al2@');
  });
  if (index < 0 || cluster === undefined) return;
  for (const { when, values } of casesOf(cluster, { version: cluster.version })) {
    const minor = values.version.kind === 'known' ? parseMinor(values.version.value) : undefined;
    if (minor === undefined || minor <= LAST_AL2) continue;
    yield {
      resource: manifest,
      source: placeIn(manifest, 'spec', 'amiSelectorTerms', String(index), 'alias'),
      verdict: 'fail',
      message: 'al2',
      data: { name, version: `1.${minor}` },
      related: [{ message: `Kubernetes version: 1.${minor}`, source: values.version.source }],
      when,
    };
  }
}

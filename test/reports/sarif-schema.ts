/**
 * What the standard's own JSON schema leaves open: which of its optional properties we always write and no others, and what the text of the standard
 * and GitHub's "SARIF support for code scanning" ask for beyond the schema.
 */
const text = { type: 'string', minLength: 1 };
const index = { type: 'integer', minimum: 0 };
const positive = { type: 'integer', minimum: 1 };
const uri = { type: 'string', pattern: "^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?#-]|%[0-9A-F]{2})+$" };
const level = { enum: ['none', 'note', 'warning', 'error'] };

function exactly(properties: Record<string, object>, optional: readonly string[] = []): Record<string, unknown> {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}

function listOf(items: object, isUnique = false): object {
  return { type: 'array', items, uniqueItems: isUnique };
}

const message = exactly({ text, markdown: text }, ['markdown']);
const bag = { type: 'object', properties: { tags: listOf(text, true) } };
const artifactLocation = { ...exactly({ uri, uriBaseId: { const: 'SRCROOT' }, index }, ['uriBaseId', 'index']) };
const region = exactly({ startLine: positive, startColumn: positive, endColumn: { type: 'integer', minimum: 2 } }, [
  'endColumn',
]);
const physicalLocation = exactly({ artifactLocation, region });
const logicalLocation = exactly({
  name: { type: 'string' },
  fullyQualifiedName: { type: 'string' },
  kind: { const: 'resource' },
  properties: bag,
});
const location = exactly({ id: positive, physicalLocation, logicalLocations: listOf(logicalLocation, true), message }, [
  'id',
  'logicalLocations',
  'message',
]);
const suppression = exactly(
  {
    kind: { enum: ['inSource', 'external'] },
    status: { enum: ['accepted', 'underReview', 'rejected'] },
    justification: text,
    properties: bag,
  },
  ['properties'],
);
const notification = exactly({ level, message, locations: listOf(location, true) });

const replacement = exactly({
  deletedRegion: exactly({ startLine: positive, startColumn: positive, endLine: positive, endColumn: positive }, [
    'startColumn',
    'endLine',
    'endColumn',
  ]),
  insertedContent: exactly({ text: { type: 'string' } }),
});
const fix = exactly({
  description: message,
  artifactChanges: listOf(exactly({ artifactLocation, replacements: { ...listOf(replacement), minItems: 1 } })),
});

const result = {
  ...exactly(
    {
      ruleId: text,
      ruleIndex: index,
      kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
      level,
      message,
      // GitHub refuses a result without one.
      locations: { ...listOf(location), minItems: 1 },
      relatedLocations: listOf(location, true),
      fixes: { ...listOf(fix, true), minItems: 1, maxItems: 1 },
      partialFingerprints: { type: 'object', additionalProperties: text, minProperties: 1 },
      suppressions: listOf(suppression, true),
    },
    ['relatedLocations', 'fixes', 'suppressions'],
  ),
  // Section 3.27.10.
  if: { properties: { kind: { const: 'fail' } } },
  then: { properties: { level: { enum: ['note', 'warning', 'error'] } } },
  else: { properties: { level: { const: 'none' } } },
};

const rule = exactly(
  {
    id: text,
    shortDescription: message,
    fullDescription: message,
    helpUri: { type: 'string', pattern: '^https://' },
    help: message,
    defaultConfiguration: exactly({ level }),
    properties: bag,
  },
  ['helpUri'],
);

const run = exactly({
  tool: exactly({
    driver: exactly({
      name: text,
      semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
      informationUri: uri,
      rules: listOf(rule, true),
    }),
  }),
  columnKind: { const: 'utf16CodeUnits' },
  originalUriBaseIds: { type: 'object', additionalProperties: exactly({ description: message }) },
  results: listOf(result),
  invocations: listOf(
    exactly({ executionSuccessful: { type: 'boolean' }, toolExecutionNotifications: listOf(notification) }),
  ),
  artifacts: listOf(exactly({ location: artifactLocation, roles: listOf({ enum: ['analysisTarget'] }, true) }), true),
});

export const sarifSchema = exactly({
  $schema: uri,
  version: { const: '2.1.0' },
  runs: { ...listOf(run), minItems: 1, maxItems: 1 },
});

/** What the tests look at. */
export interface SarifLog {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly SarifRule[] } };
      readonly results: readonly SarifResult[];
      readonly invocations: readonly {
        readonly executionSuccessful: boolean;
        readonly toolExecutionNotifications: readonly object[];
      }[];
      readonly artifacts: readonly { readonly location: SarifAddress }[];
    },
  ];
}

interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly helpUri?: string;
  readonly help: { readonly text: string; readonly markdown?: string };
  readonly defaultConfiguration: { readonly level: string };
}

interface SarifAddress {
  readonly uri: string;
  readonly uriBaseId?: string;
  readonly index?: number;
}

export interface SarifLocation {
  readonly id?: number;
  readonly physicalLocation: {
    readonly artifactLocation: SarifAddress;
    readonly region: { readonly startLine: number; readonly startColumn: number; readonly endColumn?: number };
  };
  readonly logicalLocations?: readonly { readonly name: string }[];
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly kind: string;
  readonly level: string;
  readonly message: { readonly text: string; readonly markdown: string };
  readonly locations: readonly SarifLocation[];
  readonly relatedLocations?: readonly SarifLocation[];
  readonly fixes?: readonly {
    readonly description: { readonly text: string };
    readonly artifactChanges: readonly [
      {
        readonly artifactLocation: { readonly uri: string };
        readonly replacements: readonly {
          readonly deletedRegion: {
            readonly startLine: number;
            readonly startColumn?: number;
            readonly endLine?: number;
            readonly endColumn?: number;
          };
          readonly insertedContent: { readonly text: string };
        }[];
      },
    ];
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions?: readonly { readonly kind: string; readonly justification: string }[];
}

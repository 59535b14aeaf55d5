/** The contract of `--format json` as a JSON schema. A change that makes an old report invalid is a breaking change. */
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string', minLength: 1 };
const textOrNull = { type: ['string', 'null'], minLength: 1 };

function exactly(properties: Record<string, object>, optional: readonly string[] = []): object {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}

const location = exactly({
  file: text,
  line: { type: 'integer', minimum: 1 },
  column: { type: 'integer', minimum: 1 },
  property: textOrNull,
});

const position = exactly({
  line: { type: 'integer', minimum: 1 },
  column: { type: 'integer', minimum: 1 },
});

const fingerprint = { type: 'string', pattern: '^[0-9a-f]{32}$' };

export const reportSchema = exactly({
  version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
  asOf: { type: ['string', 'null'], pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  inputs: {
    type: 'array',
    items: exactly({
      path: text,
      kind: {
        enum: [
          'cloudformation-template',
          'cdk-assembly',
          'user-data',
          'terraform-plan',
          'terraform-configuration',
          'cdktf-output',
        ],
      },
      resources: count,
    }),
  },
  findings: {
    type: 'array',
    items: exactly(
      {
        rule: { type: 'string', pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' },
        severity: { enum: ['error', 'warning', 'info'] },
        verdict: { enum: ['fail', 'unverifiable'] },
        message: text,
        fix: text,
        docs: { type: 'string', pattern: '^https://.*\\.md$' },
        repair: {
          oneOf: [
            { type: 'null' },
            exactly({
              safety: { enum: ['safe', 'unsafe'] },
              effect: textOrNull,
              edits: {
                oneOf: [
                  { type: 'null' },
                  {
                    type: 'array',
                    items: exactly({ file: text, start: position, end: position, text: { type: 'string' } }),
                  },
                ],
              },
            }),
          ],
        },
        fingerprint,
        resource: exactly({ type: text, id: text, path: textOrNull }),
        location,
        related: { type: 'array', items: exactly({ message: text, location }) },
        suppressed: exactly({ reason: text, until: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } }, ['until']),
      },
      ['suppressed'],
    ),
  },
  diagnostics: {
    type: 'array',
    items: exactly({
      severity: { enum: ['error', 'warning'] },
      message: text,
      file: text,
      line: { type: 'integer', minimum: 1 },
      column: { type: 'integer', minimum: 1 },
    }),
  },
  gone: { type: 'array', items: exactly({ file: { type: 'string' }, resource: text, rule: text, fingerprint }) },
  summary: exactly({ error: count, warning: count, info: count, unverifiable: count, suppressed: count }),
});

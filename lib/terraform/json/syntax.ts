import type { StringMode } from './expressions';

/** What stands in a body: which keys are blocks, and how the strings of its arguments are meant. */
export interface BodySyntax {
  readonly blocks: ReadonlyMap<string, BlockSyntax>;
  /** How strings are meant, by the name of the argument. */
  readonly arguments: ReadonlyMap<string, StringMode>;
  readonly others: StringMode;
  /** `dynamic` blocks may stand in it, and so may blocks that only the provider's schema tells from arguments. */
  readonly hasDynamic: boolean;
}

export interface BlockSyntax {
  readonly labels: number;
  readonly body: () => BodySyntax;
}

/** Block types and meta-arguments of the Terraform language ("Terraform Language": Configuration Syntax, JSON Configuration Syntax). */
function body(
  syntax: {
    readonly blocks?: Record<string, BlockSyntax>;
    readonly arguments?: Record<string, StringMode>;
    readonly others?: StringMode;
    readonly hasDynamic?: boolean;
  } = {},
): () => BodySyntax {
  const { blocks = {}, arguments: written = {}, others = 'template', hasDynamic = false } = syntax;
  const result: BodySyntax = {
    blocks: new Map(Object.entries(blocks)),
    arguments: new Map(Object.entries(written)),
    others,
    hasDynamic,
  };
  return () => result;
}

const PLAIN: BlockSyntax = { labels: 0, body: body() };
const LITERAL: BlockSyntax = { labels: 0, body: body({ others: 'literal' }) };
const REFERENCES: BlockSyntax = { labels: 0, body: body({ others: 'reference' }) };
/** `precondition`, `postcondition`, `validation` and `assert`. */
const CONDITION = PLAIN;

const PROVISIONER: BlockSyntax = {
  labels: 1,
  body: body({
    blocks: { connection: PLAIN },
    arguments: { when: 'reference', on_failure: 'reference' },
    hasDynamic: true,
  }),
};

const LIFECYCLE: BlockSyntax = {
  labels: 0,
  body: body({
    blocks: { precondition: CONDITION, postcondition: CONDITION, action_trigger: REFERENCES },
    arguments: { ignore_changes: 'reference', replace_triggered_by: 'reference' },
  }),
};

/** The content of a block of which only the provider knows what is in it. */
export const SCHEMA_BODY: () => BodySyntax = body({ hasDynamic: true });

/** A `dynamic` block; its label is the type of the blocks that it makes. */
export const DYNAMIC_BLOCK: BlockSyntax = {
  labels: 1,
  body: body({ blocks: { content: { labels: 0, body: SCHEMA_BODY } }, arguments: { iterator: 'reference' } }),
};

const RESOURCE: BlockSyntax = {
  labels: 2,
  body: body({
    blocks: { lifecycle: LIFECYCLE, connection: PLAIN, provisioner: PROVISIONER },
    arguments: { depends_on: 'reference', provider: 'reference' },
    hasDynamic: true,
  }),
};

const BACKEND: BlockSyntax = { labels: 1, body: body({ others: 'literal' }) };

/** What a file is made of. */
export const FILE: BodySyntax = body({
  blocks: {
    resource: RESOURCE,
    data: RESOURCE,
    ephemeral: RESOURCE,
    list: RESOURCE,
    action: RESOURCE,
    variable: {
      labels: 1,
      body: body({ blocks: { validation: CONDITION }, arguments: { type: 'reference' }, others: 'literal' }),
    },
    output: {
      labels: 1,
      body: body({
        blocks: { precondition: CONDITION },
        arguments: { depends_on: 'reference', description: 'literal' },
      }),
    },
    locals: PLAIN,
    module: {
      labels: 1,
      body: body({
        arguments: { source: 'literal', version: 'literal', providers: 'reference', depends_on: 'reference' },
      }),
    },
    provider: { labels: 1, body: body({ arguments: { alias: 'literal', version: 'literal' }, hasDynamic: true }) },
    terraform: {
      labels: 0,
      body: body({
        blocks: {
          backend: BACKEND,
          cloud: { labels: 0, body: body({ blocks: { workspaces: LITERAL }, others: 'literal' }) },
          required_providers: LITERAL,
          provider_meta: BACKEND,
          state_store: BACKEND,
          encryption: PLAIN,
        },
        others: 'literal',
      }),
    },
    moved: REFERENCES,
    removed: {
      labels: 0,
      body: body({
        blocks: { lifecycle: PLAIN, provisioner: PROVISIONER, connection: PLAIN },
        arguments: { from: 'reference' },
      }),
    },
    import: { labels: 0, body: body({ arguments: { to: 'reference', provider: 'reference' } }) },
    check: { labels: 1, body: body({ blocks: { data: RESOURCE, assert: CONDITION } }) },
  },
})();

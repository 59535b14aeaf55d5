import {
  CRASH_IS_FINAL,
  ENGINE_RULES,
  FAIL_ON,
  PRESETS,
  RULE_LEVELS,
  SUPPRESSION_RULES,
  type FailOn,
  type Preset,
  type RuleLevel,
  type RuleOption,
  type RuleSetting,
  type TerraformSettings,
} from '../engine';
import type { ListedRule } from '../rules/listed';
import { schemaOf, type Property, type Shape } from '../text/shape';
import type { ParameterValues } from '../value';

/** What a configuration file holds. */
export interface ConfigurationFileContent {
  /** Where the JSON Schema of the file stands, for editors. */
  readonly $schema?: string;
  /**
   * Configurations that this one builds on: paths from the folder of the file on, or names of packages. Later ones win over earlier ones, and what
   * the file says itself over all.
   * @default - none
   */
  readonly extends?: string | readonly string[];
  /** The rules that run, and how severe they are: `recommended`, `strict` or `all`. @default 'recommended' */
  readonly preset?: Preset;
  /** Levels and options of single rules, by id. @default - as the preset has them */
  readonly rules?: Readonly<Record<string, RuleLevel | RuleSetting>>;
  /** Findings to live with. @default - none */
  readonly ignores?: readonly IgnoreContent[];
  /** Values for what only the deployment knows. @default - such values are unknown */
  readonly parameters?: ParameterValues;
  /** How Terraform is run. @default - as without any option */
  readonly terraform?: TerraformSettings;
  /** The day for which support dates and ends of suppressions are judged, `YYYY-MM-DD`. @default - today in UTC */
  readonly asOf?: string;
  /** A file of newer rows for some tables of the knowledge, by its path from the folder of the file on. @default - the tables of the package */
  readonly knowledge?: string;
  /** The least that makes a check fail. @default 'error' */
  readonly failOn?: FailOn;
  /** Modules with rules of your own: paths from the folder of the file on, or names of packages. @default - none */
  readonly customRules?: readonly string[];
}

/** A finding to live with, as a configuration file names it. */
export interface IgnoreContent {
  /** Id of a rule, or a pattern of ids. */
  readonly rule: string;
  /** Pattern of construct paths, logical ids or Terraform addresses; `*` for all. */
  readonly resource: string;
  /** Pattern of files, from the folder of the configuration file on; without a slash, of names of files. @default - any file */
  readonly file?: string;
  readonly reason: string;
  /** Last day, `YYYY-MM-DD`. @default - no end */
  readonly until?: string;
}

/** Types the content of `eks-guardrails.config.ts` (or `.js`); does nothing else. */
export function defineConfig(content: ConfigurationFileContent): ConfigurationFileContent {
  return content;
}

const LEVEL: Shape = { kind: 'choice', values: RULE_LEVELS };
const NOT_BLANK = '\\S';
const LEAP_YEAR = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)';
/** A day that exists: `2027-02-29` is none. */
const DAY = `^([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|${LEAP_YEAR}-02-29)$`;

const DATE: Shape = { kind: 'text', pattern: DAY, what: 'a day of the form YYYY-MM-DD' };

const IGNORE: Shape = {
  kind: 'object',
  required: ['rule', 'resource', 'reason'],
  properties: {
    rule: text('Id of a rule, or a pattern of ids such as imds-*.', 'the id of a rule, or a pattern of ids'),
    resource: text(
      'Pattern of construct paths, logical ids or Terraform addresses; * alone covers all resources.',
      'a pattern of construct paths, logical ids or Terraform addresses',
    ),
    file: text(
      'Pattern of the file that declares the resource, from the folder of this file on; without a slash, of its name.',
      'a pattern of paths',
    ),
    reason: text('Why it is right to live with the finding.', 'a text that says why'),
    until: { shape: DATE, description: 'The last day on which it holds, YYYY-MM-DD, in UTC.' },
  },
};

const PARAMETER: Shape = { kind: 'either', shapes: [{ kind: 'scalar' }, { kind: 'list', item: { kind: 'scalar' } }] };
const PARAMETERS: Shape = {
  kind: 'object',
  properties: {
    cloudformation: {
      shape: { kind: 'map', value: PARAMETER },
      description: 'Values of CloudFormation parameters by name, in every stack.',
    },
    stacks: {
      shape: { kind: 'map', value: { kind: 'map', value: PARAMETER } },
      description: 'Values of CloudFormation parameters by stack, then by name. These win.',
    },
    terraform: {
      shape: { kind: 'map', value: { kind: 'json' } },
      description: 'Values of variables of Terraform root modules by name.',
    },
  },
};

const TERRAFORM: Shape = {
  kind: 'object',
  properties: {
    varFiles: {
      shape: { kind: 'list', item: text('', 'the path of a file').shape },
      description:
        'Files with values of variables, as -var-file names them: paths from the folder of this file on. Later ones win over earlier ones, and --var-file over all.',
    },
  },
};

const BASE = text('', 'the path of a configuration file, or the name of a package').shape;

function text(description: string, what: string): Property {
  return { description, shape: { kind: 'text', pattern: NOT_BLANK, what } };
}

/** The settings of a configuration file. Where the user has rules of their own, rules that aren't built in may be set too. */
export function contentShape(rules: readonly ListedRule[], mayHaveOwnRules: boolean): Shape {
  return {
    kind: 'object',
    properties: {
      $schema: {
        shape: { kind: 'text', what: 'the address of a JSON Schema' },
        description: 'Where the JSON Schema of this file stands, for editors.',
      },
      extends: {
        shape: { kind: 'either', shapes: [BASE, { kind: 'list', item: BASE }] },
        description:
          'Configurations that this one builds on: paths from the folder of this file on, or names of packages. Later ones win over earlier ones, and this file over all.',
      },
      preset: {
        shape: { kind: 'choice', values: PRESETS },
        description:
          'Which levels rules have: recommended (the default), strict (raises what costs nothing to follow), all (also preview rules).',
      },
      rules: { shape: rulesShape(rules, mayHaveOwnRules), description: 'Levels and options of single rules, by id.' },
      ignores: { shape: { kind: 'list', item: IGNORE }, description: 'Findings to live with, each with a reason.' },
      parameters: { shape: PARAMETERS, description: 'Values for what only the deployment knows.' },
      terraform: { shape: TERRAFORM, description: 'How Terraform is run.' },
      asOf: {
        shape: DATE,
        description:
          'The day for which support dates and ends of suppressions are judged, YYYY-MM-DD. EKS_GUARDRAILS_AS_OF and --as-of win.',
      },
      knowledge: text(
        'A file of newer rows for tables of Kubernetes versions, add-on versions, AMI types and others, from the folder of this file on. --knowledge wins.',
        'the path of a file',
      ),
      failOn: {
        shape: { kind: 'choice', values: FAIL_ON },
        description: 'The least that makes a check fail; each value includes the ones before it, except never.',
      },
      customRules: {
        shape: { kind: 'list', item: text('', 'the path of a module, or the name of a package').shape },
        description: 'Modules with rules of your own: paths from the folder of this file on, or names of packages.',
      },
    },
  };
}

/** A rule that only its module knows. */
const OWN_RULE: Shape = {
  kind: 'either',
  shapes: [
    LEVEL,
    {
      kind: 'object',
      properties: {
        level: {
          shape: LEVEL,
          description: 'The severity of all errors and warnings of the rule; off switches it off.',
        },
        options: {
          shape: { kind: 'map', value: { kind: 'text', what: 'a text' } },
          description: 'Options of the rule.',
        },
      },
    },
  ],
};

function rulesShape(rules: readonly ListedRule[], mayHaveOwnRules: boolean): Shape {
  const properties = [
    ...rules.map((rule): [string, Property] => [rule.id, { shape: ruleShape(rule), description: `${rule.title}.` }]),
    ...SUPPRESSION_RULES.map((id): [string, Property] => [
      id,
      { shape: ruleShape({}), description: 'What the check says about suppressions; a warning by default.' },
    ]),
  ];
  return {
    kind: 'object',
    noun: 'rule',
    whyNot: { [ENGINE_RULES.crashed]: CRASH_IS_FINAL },
    properties: Object.fromEntries(properties),
    ...(mayHaveOwnRules ? { additional: OWN_RULE } : {}),
  };
}

function ruleShape({ options = {} }: Pick<ListedRule, 'options'>): Shape {
  const properties = Object.entries(options).map(([name, option]) => [name, optionProperty(option)] as const);
  return {
    kind: 'either',
    shapes: [
      LEVEL,
      {
        kind: 'object',
        properties: {
          level: {
            shape: LEVEL,
            description: 'The severity of all errors and warnings of the rule; off switches it off.',
          },
          options: {
            shape: { kind: 'object', noun: 'option', properties: Object.fromEntries(properties) },
            description: 'Options of the rule.',
          },
        },
      },
    ],
  };
}

function optionProperty({ description, allowed, default: standard }: RuleOption): Property {
  return { description: `${description} Default: ${standard}.`, shape: { kind: 'choice', values: allowed } };
}

/** Address of the published schema. */
export const SCHEMA_URL =
  'https://raw.githubusercontent.com/eks-guardrails/eks-guardrails/main/docs/eks-guardrails.config.schema.json';

/**
 * The JSON Schema of configuration files.
 * @internal scripts/docs.mjs writes it into docs/
 */
export function configurationSchema(rules: readonly ListedRule[]): Readonly<Record<string, unknown>> {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: SCHEMA_URL,
    title: 'Configuration of eks-guardrails',
    ...schemaOf(contentShape(rules, true)),
    // Only who names modules of rules, or extends who does, can have others than the built-in ones.
    if: {
      anyOf: [
        { required: ['customRules'], properties: { customRules: { type: 'array', minItems: 1 } } },
        {
          required: ['extends'],
          properties: { extends: { anyOf: [{ type: 'string' }, { type: 'array', minItems: 1 }] } },
        },
      ],
    },
    else: { properties: { rules: { propertyNames: { enum: [...rules.map(({ id }) => id), ...SUPPRESSION_RULES] } } } },
  };
}

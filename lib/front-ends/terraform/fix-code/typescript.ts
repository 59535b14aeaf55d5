import type { Expression, TemplatePart } from '../../../languages/hcl/ast';
import type { ClusterPlace, Resource } from '../../../value';
import { codeParts, indented, type CodePart } from './printed';

/*
 * Code of a resource as an app of CDKTF or CDK Terrain writes it: TypeScript of the packages provider-aws.
 */

/** Blocks that there may be several of, which are lists in the packages. */
const LISTS: ReadonlySet<string> = new Set([
  'block_device_mappings',
  'network_interfaces',
  'pod_identity_association',
  'statement',
  'tag_specifications',
  'taint',
]);

/** Yes or no, of a launch template's volumes, which the packages have as texts. */
const TEXTS: ReadonlySet<string> = new Set(['delete_on_termination', 'encrypted']);

/** Attributes that only AWS knows, and that are lists. */
const COMPUTED_LISTS: ReadonlySet<string> = new Set(['certificate_authority', 'identity', 'oidc']);

/** Undefined where an app would say it in another way. */
export function codeInTypeScript(
  code: string,
  resource: Resource,
  place: () => ClusterPlace,
  library: 'cdktf' | 'cdktn',
): string | undefined {
  const parts = codeParts(code);
  if (parts === undefined) return undefined;
  try {
    return new Writer(code, resource, place, library).code(parts);
  } catch (error) {
    if (error instanceof NotWritten) return undefined;
    throw error;
  }
}

/** What has no counterpart that is known here. */
class NotWritten extends Error {}

class Writer {
  private readonly imports = new Set<string>();
  private usesCluster = false;
  private usesOwn = false;
  /** What the code itself makes, by address. */
  private readonly made = new Map<string, string>();

  constructor(
    private readonly text: string,
    private readonly resource: Resource,
    private readonly place: () => ClusterPlace,
    private readonly library: 'cdktf' | 'cdktn',
  ) {}

  private get cluster(): Resource | undefined {
    return this.place().cluster;
  }

  code(parts: readonly CodePart[]): string {
    const { resource } = this;
    const own: CodePart[] = [];
    const constructs: string[] = [];
    let where = placeOf(resource);
    for (const part of parts)
      if (part.kind === 'block' && part.labels.length > 0) {
        const [type = '', name = ''] = part.labels;
        this.made.set(`${part.name === 'data' ? 'data.' : ''}${type}.${name}`, camel(name));
      }
    for (const part of parts) {
      if (part.kind === 'block' && part.labels.length > 0) constructs.push(this.construct(part));
      else if (part.kind !== 'comment') own.push(part);
      else if (OWN_PLACE.test(part.text))
        where += part.text.replace(OWN_PLACE, (_, without: string) => `, which Terraform replaces${camel(without)}`);
      else if (PLACE.test(part.text)) throw new NotWritten();
      else own.push(part);
    }
    const sections = [...constructs, ...(own.length === 0 ? [] : [[`// ${where}:`, ...this.members(own)].join('\n')])];
    const head = [
      ...[...this.imports]
        .sort()
        .map((name) => `import { ${name} } from '@${this.library}/provider-aws/lib/${kebab(name)}';`),
      ...(this.usesCluster ? [`// cluster: the ${named(this.cluster)}`] : []),
      ...(this.usesOwn ? [`// ${nameOf(resource)}: the ${named(resource)}`] : []),
    ];
    return [...(head.length === 0 ? [] : [head.join('\n')]), ...sections].join('\n\n');
  }

  private construct({ name, labels: [type = '', id = ''], parts }: Extract<CodePart, { kind: 'block' }>): string {
    if (!type.startsWith('aws_') || (name !== 'resource' && name !== 'data')) throw new NotWritten();
    const className = `${name === 'data' ? 'DataAws' : ''}${pascal(type.slice('aws_'.length))}`;
    this.imports.add(className);
    const address = `${name === 'data' ? 'data.' : ''}${type}.${id}`;
    const isUsed = this.text.includes(`${address}.`);
    return [
      `${isUsed ? `const ${camel(id)} = ` : ''}new ${className}(this, '${id}', {`,
      ...indentedLines(this.members(parts)),
      '});',
    ].join('\n');
  }

  private members(parts: readonly CodePart[]): readonly string[] {
    return parts.map((part) => {
      if (part.kind === 'comment') return `// ${part.text}`;
      if (part.kind === 'argument') {
        const comment = part.comment === undefined ? '' : ` // ${part.comment}`;
        const value = this.value(part.value);
        return `${camel(part.name)}: ${TEXTS.has(part.name) && part.value.kind === 'literal' ? `'${value}'` : value},${comment}`;
      }
      const members = indentedLines(this.members(part.parts)).join('\n');
      const object = members === '' ? '{}' : `{\n${members}\n}`;
      return `${camel(part.name)}: ${LISTS.has(part.name) ? `[${object}]` : object},`;
    });
  }

  private value(expression: Expression): string {
    if (expression.kind === 'literal')
      return typeof expression.value === 'string' ? quoted(expression.value) : String(expression.value);
    if (expression.kind === 'template') return this.template(expression.parts);
    if (expression.kind === 'tuple') return `[${expression.items.map((item) => this.value(item)).join(', ')}]`;
    if (expression.kind === 'object') return this.object(expression);
    if (expression.kind === 'attribute' || expression.kind === 'index') return this.reference(expression);
    const [argument] = expression.kind === 'call' && expression.name === 'jsonencode' ? expression.args : [];
    // Tokens stay tokens in it, as in any text.
    if (argument !== undefined) return `JSON.stringify(${this.value(argument)})`;
    throw new NotWritten();
  }

  private template(parts: readonly TemplatePart[]): string {
    if (parts.every((part) => part.kind === 'text'))
      return quoted(parts.map((part) => ('text' in part ? part.text : '')).join(''));
    const pieces = parts.map((part) => {
      if (part.kind === 'text') return part.text.replaceAll(/[`\\]|\$(?=\{)/g, (sign) => `\\${sign}`);
      if (part.kind === 'interpolation') return `\${${this.value(part.value)}}`;
      throw new NotWritten();
    });
    return `\`${pieces.join('')}\``;
  }

  private object({ entries, range }: Extract<Expression, { kind: 'object' }>): string {
    if (entries.length === 0) return '{}';
    const members = entries.map(({ key, value }) => {
      const name =
        key.kind === 'literal'
          ? String(key.value)
          : key.kind === 'variable'
            ? key.name
            : this.template(key.kind === 'template' ? key.parts : []);
      const isPlain = key.kind === 'literal' || key.kind === 'variable';
      const label = !isPlain ? `[${name}]` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
      return `${label}: ${this.value(value)}`;
    });
    return this.text.slice(range.start, range.end).includes('\n')
      ? `{\n${members.map((member) => `${indented(member)},`).join('\n')}\n}`
      : `{ ${members.join(', ')} }`;
  }

  /** Of the cluster and the resource itself only: what constructs are called in the app, no output tells. */
  private reference(expression: Expression): string {
    const steps: string[] = [];
    let at = expression;
    while (at.kind === 'attribute' || at.kind === 'index') {
      if (at.kind === 'attribute') steps.unshift(at.name);
      at = at.of;
    }
    if (at.kind === 'variable') {
      const length = at.name === 'data' ? 2 : 1;
      const made = this.made.get([at.name, ...steps.slice(0, length)].join('.'));
      if (made !== undefined) return textInTypeScript(made, steps.slice(length));
    }
    const [name = '', ...attributes] = steps;
    if (at.kind === 'variable' && at.name !== 'aws_eks_cluster' && `${at.name}.${name}` === this.resource.id) {
      this.usesOwn = true;
      return textInTypeScript(nameOf(this.resource), attributes);
    }
    if (
      at.kind !== 'variable' ||
      at.name !== 'aws_eks_cluster' ||
      this.cluster === undefined ||
      !this.cluster.id.endsWith(`.${name}`)
    )
      throw new NotWritten();
    this.usesCluster = true;
    return ['cluster', ...attributes.map((step) => camel(step) + (COMPUTED_LISTS.has(step) ? '.get(0)' : ''))].join(
      '.',
    );
  }
}

/** Numbers that the packages have as such, where Terraform takes them for texts. */
const NUMBERS: ReadonlySet<string> = new Set(['latest_version', 'default_version']);

function textInTypeScript(name: string, steps: readonly string[]): string {
  const reference = [name, ...steps.map(camel)].join('.');
  return NUMBERS.has(steps.at(-1) ?? '') ? `\`\${${reference}}\`` : reference;
}

const OWN_PLACE = /^in \S+, which Terraform replaces(.*):$/;
const PLACE = /^in (\S+):$/;

function placeOf(resource: Resource): string {
  return `in the properties of the ${named(resource)}`;
}

function named(resource: Resource | undefined): string {
  if (resource === undefined) return 'EksCluster';
  return `${pascal(resource.type.slice('aws_'.length))} ${resource.path ?? resource.id}`;
}

/** What code calls a resource: `role` for an `aws_iam_role`. */
function nameOf({ type }: Resource): string {
  return camel(type.replace(/^aws_(?:iam_)?/, ''));
}

function indentedLines(lines: readonly string[]): readonly string[] {
  return lines.map((line) => indented(line));
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, (sign) => `\\${sign}`).replaceAll('\n', '\\n')}'`;
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function pascal(name: string): string {
  const text = camel(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function kebab(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

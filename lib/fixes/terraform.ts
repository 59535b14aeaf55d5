import type { Edit } from './edit';
import { LineIndex } from '../languages/positions';
import { acceptInHcl, acceptInJsonConfiguration } from './accept-edit';
import { resourceName } from './address';
import { changeEmbedded } from './data-change';
import { dataDiffers, hclDiffers } from './differences';
import type { CallPlace, Change, EditedText } from './edited-text';
import { unlessExplained } from './explained';
import { changeHclData } from './hcl-data';
import { addTemplate, decidedElsewhere, encodeArgument, madeByDynamic, removeArgument, setArgument } from './hcl-edit';
import { HclText } from './hcl-text';
import { jsonTree } from './json-tree';
import { repairPath } from '../eks/resources';
import { OVERRULED_BY } from '../eks/resources/repaired-settings';
import { replaceLines } from './lines-edit';
import { refuse, type EditPlan } from './text-edit';
import { NOT_CLEAR, walk, type Tree } from './tree';
import { addMember, removeAt, setIn } from './tree-edit';
import { inTurn } from './tree-file';
import { callArgument, callBlock, changeCall } from './module-call';
import { configurationResource, NO_FREE_NAME, REMOTE_ACCESS_MOVES, useInConfiguration } from './new-template';

const NOT_DECLARED = 'what makes it is no resource of this file but a module: change its call';

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A file of a configuration in HCL that is repaired. */
export class HclFile implements EditedText {
  private constructor(private readonly hcl: HclText) {}

  /** Undefined if it can't be read without problems. */
  static read(text: string): HclFile | undefined {
    const hcl = HclText.read(text);
    return hcl === undefined ? undefined : new HclFile(hcl);
  }

  whyNotDeclared(type: string, address: string, { line }: Place, call?: CallPlace): string | undefined {
    if (call !== undefined) {
      const block = callBlock(this.hcl, call);
      const isThere =
        block !== undefined &&
        this.hcl.lineAt(block.headRange.start) <= line &&
        line <= this.hcl.lineAt(block.body.range.end);
      return isThere ? undefined : 'the call of the module stands elsewhere';
    }
    const block = this.hcl.resource(type, resourceName(address, type) ?? '');
    return block !== undefined && this.hcl.lineAt(block.headRange.start) === line ? undefined : NOT_DECLARED;
  }

  /** @param item index of the nested block that the finding is about */
  repair(type: string, address: string, repair: Edit, item: number | undefined, call?: CallPlace): EditPlan {
    const { hcl } = this;
    if (repair.kind === 'accept')
      return acceptInHcl(
        hcl,
        call === undefined ? hcl.resource(type, resourceName(address, type) ?? '') : callBlock(hcl, call),
        repair,
        call !== undefined,
      );
    if (repair.kind === 'lines') return replaceLines(hcl.text, repair.lines);
    if (call !== undefined) return unlessExplained(hcl.text, repair, changeCall(hcl, type, repair, call));
    const block = hcl.resource(type, resourceName(address, type) ?? '');
    if (block === undefined) return refuse(NOT_DECLARED);
    if (repair.kind === 'newTemplate') return addTemplate(hcl, block, this.freeName(type, address));
    const path = repairPath(type, repair.field, 'terraform');
    if (path === undefined) return refuse(`there is no machine edit for ${type}`);
    const overruling = OVERRULED_BY[path[0] ?? ''];
    const other = block.body.attributes.find((one) => one.name === overruling);
    if (other !== undefined) return refuse(`\`${other.name}\` is set, which is for more than updates`);
    switch (repair.kind) {
      case 'remove':
        return repair.ifSet === true && !isSet(block.body, path)
          ? { edits: [] }
          : removeArgument(hcl, block, path, item);
      case 'set': {
        const plan = setArgument(hcl, block, path, repair.to, item);
        return repair.unlessSet === true && isSet(block.body, path)
          ? { edits: [] }
          : unlessExplained(hcl.text, repair, plan);
      }
      case 'refer':
        return repair.terraform === ''
          ? refuse('what it has to refer to stands elsewhere')
          : setArgument(hcl, block, path, { expression: repair.terraform }, item);
      case 'encode':
        return encodeArgument(hcl, block, path);
      case 'setData':
      case 'moveData':
      case 'renameData':
      case 'removeData':
        return changeHclData(hcl, block, path, repair, (value) => decidedElsewhere(hcl.text, value));
      case 'attachPolicy':
      case 'setList':
      case 'trustToo':
        return refuse(NOT_CLEAR);
    }
  }

  differsBeyond(after: HclFile, changes: readonly Change[]): boolean {
    const isLossy = changes.some(({ repair: { kind } }) => MAY_CHANGE_COMMENTS.has(kind));
    const paths = changes.flatMap((change) => {
      const { type, id, repair, call } = change;
      if (repair.kind === 'accept') return [];
      if (call !== undefined) return [['module', ...callArgument(type, repair, call)]];
      return argumentsOf(change, this.freeName(type, id)).map((path) => ['resource', ...path]);
    });
    return hclDiffers(this.hcl, after.hcl, paths, isLossy);
  }

  /** A name for the launch template of a group. */
  private freeName(type: string, address: string): string | undefined {
    const name = resourceName(address, type) ?? '';
    return templateNames(name).find((one) => this.hcl.resource(TEMPLATE, one) === undefined);
  }
}

const MAY_CHANGE_COMMENTS: ReadonlySet<string> = new Set(['remove', 'moveData', 'removeData', 'accept']);

const TEMPLATE = 'aws_launch_template';

function templateNames(name: string): readonly string[] {
  return [name, `${name}_nodes`];
}

/** Type and name of the resource that is changed, and the argument or block in it; without one, all of it. */
function argumentsOf({ type, id, repair }: Change, templateName: string | undefined): readonly (readonly string[])[] {
  const name = resourceName(id, type) ?? '';
  if (repair.kind === 'newTemplate')
    return [
      [type, name, 'launch_template'],
      [type, name, 'disk_size'],
      [TEMPLATE, templateName ?? ''],
    ];
  if (repair.kind === 'accept') return [[type, name, '//']];
  return [[type, name, ...(repairPath(type, repair.field, 'terraform')?.slice(0, 1) ?? [])]];
}

function isSet(body: HclText['body'], [first, ...rest]: readonly string[]): boolean {
  if (rest.length === 0) return body.attributes.some(({ name }) => name === first);
  const inner = body.blocks.find(({ type }) => type === first)?.body;
  return inner !== undefined && isSet(inner, rest);
}

/** A file of a configuration in JSON that is repaired. */
export class JsonConfigurationFile implements EditedText {
  private linesMemo: LineIndex | undefined;

  private constructor(private readonly tree: Tree) {}

  /** Undefined if it isn't JSON. */
  static read(text: string): JsonConfigurationFile | undefined {
    const tree = jsonTree(text);
    return tree === undefined ? undefined : new JsonConfigurationFile(tree);
  }

  whyNotDeclared(type: string, address: string, { line, column }: Place): string | undefined {
    const { missing, entries } = walk(this.tree, ['resource', type, resourceName(address, type) ?? '']);
    this.linesMemo ??= new LineIndex(this.tree.text);
    const at = this.linesMemo.at(entries.at(-1)?.entry.start ?? 0);
    return missing.length === 0 && at.line === line && at.column === column ? undefined : NOT_DECLARED;
  }

  repair(type: string, address: string, repair: Edit, item: number | undefined): EditPlan {
    const name = resourceName(address, type) ?? '';
    if (repair.kind === 'newTemplate') return this.addTemplate(type, name);
    if (repair.kind === 'lines') return replaceLines(this.tree.text, repair.lines);
    if (repair.kind === 'accept') return acceptInJsonConfiguration(this.tree, ['resource', type, name], repair);
    const field = repairPath(type, repair.field, 'terraform');
    if (field === undefined) return refuse(`there is no machine edit for ${type}`);
    if (walk(this.tree, ['resource', type, name]).missing.length > 0) return refuse(NOT_DECLARED);
    const [first = ''] = field;
    if (field.length > 1 && this.isDynamic(['resource', type, name, 'dynamic'], first))
      return refuse(madeByDynamic(first));
    const path = this.withItems(['resource', type, name], field, item);
    if (path === undefined) return refuse('there are several blocks where one is expected');
    const overruling = OVERRULED_BY[first];
    if (overruling !== undefined && walk(this.tree, ['resource', type, name, overruling]).missing.length === 0)
      return refuse(`\`${overruling}\` is set, which is for more than updates`);
    const { node, missing } = walk(this.tree, path);
    if (missing.length === 0) {
      const decided =
        repair.kind === 'encode'
          ? undefined
          : interpolation(this.tree.text.slice(node.start, node.end), repair.kind === 'remove');
      if (decided !== undefined) return refuse(decided);
    }
    switch (repair.kind) {
      case 'remove':
        return repair.ifSet === true && missing.length > 0 ? { edits: [] } : removeAt(this.tree, path);
      case 'set':
        return repair.unlessSet === true && missing.length === 0 ? { edits: [] } : setIn(this.tree, path, repair.to);
      case 'refer':
        return repair.terraform === ''
          ? refuse('what it has to refer to stands elsewhere')
          : setIn(this.tree, path, `\${${repair.terraform}}`);
      case 'encode':
        return encodeText(this.tree, path);
      case 'setData':
      case 'moveData':
      case 'renameData':
      case 'removeData':
        return changeEmbedded(this.tree, path, repair);
      case 'attachPolicy':
      case 'setList':
      case 'trustToo':
        return refuse(NOT_CLEAR);
    }
  }

  differsBeyond(after: JsonConfigurationFile, changes: readonly Change[]): boolean {
    return dataDiffers(
      JSON.parse(this.tree.text),
      JSON.parse(after.tree.text),
      changes.flatMap((change) =>
        argumentsOf(change, this.freeName(resourceName(change.id, change.type) ?? '')).map((path) => [
          'resource',
          ...path,
        ]),
      ),
    );
  }

  private freeName(name: string): string | undefined {
    return templateNames(name).find((one) => walk(this.tree, ['resource', TEMPLATE, one]).missing.length > 0);
  }

  /** Beside the group, under its name. */
  private addTemplate(type: string, name: string): EditPlan {
    const group = ['resource', type, name];
    const has = (key: string): boolean => walk(this.tree, [...group, key]).missing.length === 0;
    if (has('launch_template') || this.isDynamic([...group, 'dynamic'], 'launch_template')) return refuse(NOT_CLEAR);
    if (has('remote_access') || this.isDynamic([...group, 'dynamic'], 'remote_access'))
      return refuse(REMOTE_ACCESS_MOVES);
    const free = this.freeName(name);
    if (free === undefined) return refuse(NO_FREE_NAME);
    const disk = walk(this.tree, [...group, 'disk_size']);
    const size = disk.missing.length > 0 ? undefined : disk.node.kind === 'scalar' ? Number(disk.node.value) : NaN;
    if (Number.isNaN(size)) return refuse("its disk size isn't written as a number");
    return inTurn(this.tree, [
      ...(size === undefined ? [] : [(tree: Tree) => removeAt(tree, [...group, 'disk_size'])]),
      (tree) => setIn(tree, [...group, 'launch_template'], useInConfiguration(free)),
      (tree) => addMember(tree, ['resource', TEMPLATE, free], configurationResource(size)),
    ]);
  }

  /** Whether dynamic blocks, which stand in an object or in several, make the nested blocks of a name. */
  private isDynamic(path: readonly string[], name: string): boolean {
    const { node, missing } = walk(this.tree, path);
    if (missing.length > 0 || node.kind === 'scalar') return false;
    const entries = node.entries();
    return node.kind === 'map'
      ? entries.some(({ key }) => key === name)
      : entries.some(({ key }) => this.isDynamic([...path, key], name));
  }

  /** A nested block may be an object, or stand in a list. */
  private withItems(
    start: readonly string[],
    field: readonly string[],
    item: number | undefined,
  ): readonly string[] | undefined {
    const path = [...start];
    for (const step of field) {
      if (step === '*') continue;
      path.push(step);
      const { node, missing } = walk(this.tree, path);
      if (missing.length > 0 || node.kind !== 'list' || step === field.at(-1)) continue;
      const items = node.entries().length;
      if (items !== 1 && item === undefined) return undefined;
      path.push(String(items === 1 ? 0 : item));
    }
    return path;
  }
}

const DECIDING = /\b(?:var|local|module|each|count)\.|\?/;

/** Why a value of the JSON syntax isn't decided where it is written. */
function interpolation(raw: string, mayRefer: boolean): string | undefined {
  const found = /\$\{[^}]*\}?|%\{[^}]*\}?/.exec(raw.replaceAll('$${', ''))?.[0];
  return found === undefined || (mayRefer && !DECIDING.test(found)) ? undefined : `it is decided by \`${found}\``;
}

/** A text of the JSON syntax becomes an interpolation, in which it is a text as well. */
function encodeText(tree: Tree, path: readonly string[]): EditPlan {
  const { node, missing } = walk(tree, path);
  if (missing.length > 0 || node.kind !== 'scalar' || typeof node.value !== 'string') return refuse(NOT_CLEAR);
  if (/\$\{|%\{/.test(node.value)) return refuse('what it holds is put together');
  return setIn(tree, path, `\${base64encode(${JSON.stringify(node.value)})}`);
}

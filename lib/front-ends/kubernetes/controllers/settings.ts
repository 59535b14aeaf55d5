import { repairPathIn } from '../../../eks/resources';
import { stepsOf, type Naming, type Setting } from '../../../eks/resources/table';
import { keptByText } from '../../../text/kept-by-text';
import { withOwnValues } from '../../parts/own-values';
import { isForTemplateAlone, renamedCode, type SettingNames } from '../../parts/renamed-code';
import type { Resource } from '../../../value';
import { rootOf, tablesOf, type EngineName } from './engines';

const NAMING: Readonly<Record<EngineName, Naming>> = { ack: 'cloudFormation', crossplane: 'terraform' };

/** Settings that both kinds of updates share in the API. */
const CONFLICTS = 'resolveConflictsOnCreate';

/** Where a setting is in an object; undefined if it has none. */
export function settingIn(engine: EngineName, kind: string, field: string): readonly string[] | undefined {
  const tables = tablesOf(engine, kind);
  const path = tables === undefined ? undefined : repairPathIn(tables.own, field, NAMING[engine]);
  if (path === undefined || UNKNOWN_TO[engine].has(field)) return undefined;
  return [...(tables?.own.root === undefined ? rootOf(engine, kind) : ['spec']), ...path];
}

/** Settings that a controller has no argument for. */
const UNKNOWN_TO: Readonly<Record<EngineName, ReadonlySet<string>>> = {
  ack: new Set(['forceUpdate', 'preserveOnDelete', 'updateConfig.strategy']),
  crossplane: new Set(),
};

/** Code for a template as the spec of an object has it; undefined where it has no setting for all of it. */
export function codeInSpec(engine: EngineName, resource: Resource, code: string): string | undefined {
  if (isForTemplateAlone(code) || !/^[A-Z]\w*:/m.test(code)) return undefined;
  const whole = withOwnValues(code, resource);
  return whole === undefined ? undefined : renamed(JSON.stringify([engine, resource.type, whole]));
}

const renamed = keptByText((key): string | undefined => {
  const [engine, kind, code] = JSON.parse(key) as readonly [EngineName, string, string];
  return renamedCode(code, namesIn(engine, kind));
});

function namesIn(engine: EngineName, kind: string): readonly SettingNames[] {
  const tables = tablesOf(engine, kind);
  if (tables === undefined) return [];
  const naming = NAMING[engine];
  const root = rootOf(engine, kind);
  return Object.entries(tables.template.settings).flatMap(([name, setting]: [string, Setting]) => {
    const own = tables.own.settings[name];
    if (own === undefined || UNKNOWN_TO[engine].has(name) || name === CONFLICTS) return [];
    const outer = pair(setting, own, naming);
    if (outer === undefined) return [];
    const { from, to } = outer;
    if (setting.type !== 'block' || !('settings' in own)) return [{ from, to: [...root, ...to] }];
    return Object.entries(setting.settings).flatMap(([member, one]) => {
      const other = own.settings[member];
      const inner = other === undefined ? undefined : pair(one, other, naming);
      return inner === undefined || UNKNOWN_TO[engine].has(`${name}.${member}`)
        ? []
        : [{ from: [...from, ...inner.from], to: [...root, ...to, ...inner.to] }];
    });
  });
}

function pair(template: Setting, own: Setting, naming: Naming): SettingNames | undefined {
  const [from, to] = [template.cloudFormation, own[naming]];
  return from === undefined || to === undefined ? undefined : { from: stepsOf(from), to: stepsOf(to) };
}

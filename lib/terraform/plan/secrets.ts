import { isJsonMap, listOf, memberOf, type JsonMap } from '../json-tree';

/** Values that a plan or a state marks as sensitive, wherever it holds them. */
export function secretsOfPlan(root: JsonMap): readonly string[] {
  const found: string[] = [];
  for (const list of ['resource_changes', 'resource_drift']) {
    for (const item of listOf(root[list])) addChange(memberOf(item, 'change'), found);
  }
  for (const change of valuesOf(root['output_changes'])) addChange(change, found);
  for (const values of [root['planned_values'], root['values'], memberOf(root['prior_state'], 'values')]) {
    for (const output of valuesOf(memberOf(values, 'outputs')))
      addMarked(memberOf(output, 'value'), memberOf(output, 'sensitive'), found);
    addModule(memberOf(values, 'root_module'), found);
  }
  addConfiguration(
    memberOf(root['configuration'], 'root_module'),
    (name) => memberOf(memberOf(root['variables'], name), 'value'),
    found,
  );
  return found;
}

function addChange(change: unknown, found: string[]): void {
  for (const side of ['before', 'after'])
    addMarked(memberOf(change, side), memberOf(change, `${side}_sensitive`), found);
}

function addModule(module: unknown, found: string[]): void {
  for (const item of listOf(memberOf(module, 'resources')))
    addMarked(memberOf(item, 'values'), memberOf(item, 'sensitive_values'), found);
  for (const child of listOf(memberOf(module, 'child_modules'))) addModule(child, found);
}

/** @param given what a variable is, as far as the plan tells */
function addConfiguration(module: unknown, given: (variable: string) => unknown, found: string[]): void {
  const variables = memberOf(module, 'variables');
  for (const name of isJsonMap(variables) ? Object.keys(variables) : []) {
    const variable = memberOf(variables, name);
    const isSecret = memberOf(variable, 'sensitive');
    addMarked(memberOf(variable, 'default'), isSecret, found);
    addMarked(given(name), isSecret, found);
  }
  for (const call of valuesOf(memberOf(module, 'module_calls'))) {
    addConfiguration(
      memberOf(call, 'module'),
      (name) => memberOf(memberOf(memberOf(call, 'expressions'), name), 'constant_value'),
      found,
    );
  }
}

/** @param marks mirrors the value, true where it is sensitive */
function addMarked(value: unknown, marks: unknown, found: string[]): void {
  if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value))
      addMarked(member, marks === true ? true : memberOf(marks, Array.isArray(marks) ? Number(key) : key), found);
  } else if (marks === true && (typeof value === 'string' || typeof value === 'number')) found.push(String(value));
}

function valuesOf(map: unknown): readonly unknown[] {
  return isJsonMap(map) ? Object.values(map) : [];
}

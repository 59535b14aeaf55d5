import { keptByText } from '../../text/kept-by-text';

/*
 * Code for a manifest, of that for a template of CloudFormation: what the configuration values of the VPC CNI's add-on say are variables of the
 * containers of its DaemonSet.
 */

const VALUES = /^ConfigurationValues: '(\{.*\})'$/;

/** Variables of a DaemonSet for configuration values; other code that is for a template is none for a manifest. */
export const codeInManifest: (code: string) => string | undefined = keptByText((code) => {
  const [, json] = VALUES.exec(code) ?? [];
  if (json === undefined) return /^(?:[A-Z]\w*|Fn::\w+):/m.test(code) ? undefined : code;
  const values: unknown = parse(json);
  const containers = [
    ['containers', 'aws-node', memberOf(values, 'env')],
    ['initContainers', 'aws-vpc-cni-init', memberOf(memberOf(values, 'init'), 'env')],
  ] as const;
  const others = keysOf(values).filter((key) => key !== 'env' && key !== 'init');
  const lines = containers.flatMap(([list, container, env]) => {
    const names = keysOf(env);
    if (names.length === 0) return [];
    return [
      `${list}:`,
      `  - name: ${container}`,
      '    env:',
      ...names.flatMap((name) => [
        `      - name: ${name}`,
        `        value: ${JSON.stringify(String(memberOf(env, name)))}`,
      ]),
    ];
  });
  return others.length > 0 || lines.length === 0 ? undefined : lines.join('\n');
});

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Code with places to fill in that are no JSON.
    return undefined;
  }
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}

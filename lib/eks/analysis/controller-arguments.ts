import { dataAt, entriesOf, isDataMap, Unknown, type Data } from '../../value';

/** What the process of a controller is told when it starts. */
export interface ControllerArguments {
  /** Arguments of its container, where the input shows them, and environment variables that count as such. */
  readonly args: readonly Data[];
  /** Names of its environment variables. */
  readonly variables: readonly string[];
}

/** Where charts have environment variables: that of ExternalDNS itself, and those of Bitnami. */
const VARIABLES_OF_CHARTS = ['env', 'extraEnvVars'] as const;

/** Of controllers that take an environment variable for each argument. Source: kubernetes-sigs/external-dns, pkg/apis/externaldns/types.go. */
const PREFIXES: Readonly<Record<string, string>> = { 'external-dns': 'EXTERNAL_DNS_' };

export function argumentsOfChart(software: string, values: Data | undefined): ControllerArguments {
  return withVariables(
    software,
    argumentsIn(dataAt(values, 'extraArgs')),
    VARIABLES_OF_CHARTS.map((key) => dataAt(values, key)),
  );
}

export function argumentsOfContainer(software: string, container: Data): ControllerArguments {
  const args = [...argumentsIn(dataAt(container, 'args')), ...argumentsIn(dataAt(container, 'command'))];
  return withVariables(software, args, [dataAt(container, 'env')]);
}

function withVariables(
  software: string,
  args: readonly Data[],
  lists: readonly (Data | undefined)[],
): ControllerArguments {
  const prefix = PREFIXES[software];
  const variables = lists.flatMap((list) => (Array.isArray(list) ? (list as readonly Data[]) : []));
  const unknown = lists.filter((list) => list instanceof Unknown);
  return {
    args:
      prefix === undefined
        ? args
        : [...args, ...variables.flatMap((variable) => argumentOf(variable, prefix)), ...unknown],
    variables: variables.flatMap((variable) => {
      const name = dataAt(variable, 'name');
      return typeof name === 'string' ? [name] : [];
    }),
  };
}

/** `EXTERNAL_DNS_DRY_RUN=1` is `--dry-run`. */
function argumentOf(variable: Data, prefix: string): readonly Data[] {
  const name = dataAt(variable, 'name');
  if (typeof name !== 'string' || !name.startsWith(prefix)) return [];
  const argument = `--${name.slice(prefix.length).toLowerCase().replaceAll('_', '-')}`;
  const value = dataAt(variable, 'value');
  if (typeof value !== 'string') return [argument];
  if (/^(?:0|f|false)$/i.test(value)) return [];
  return [/^(?:1|t|true)$/i.test(value) ? argument : `${argument}=${value}`];
}

/** Arguments of a list, or of a map from names to values as some charts have them. */
function argumentsIn(data: Data | undefined): readonly Data[] {
  if (data instanceof Unknown) return [data];
  if (Array.isArray(data)) return data as readonly Data[];
  return isDataMap(data)
    ? entriesOf(data).map(([key, value]) => (typeof value === 'object' ? `--${key}` : `--${key}=${String(value)}`))
    : [];
}

/** Whether a controller has an argument, whatever its value: `maybe` if some arguments aren't known. */
export function hasArgument({ args }: Pick<ControllerArguments, 'args'>, name: string): 'yes' | 'no' | 'maybe' {
  const isIt = (text: string) => text === `--${name}` || text.startsWith(`--${name}=`);
  if (args.some((one) => typeof one === 'string' && isIt(one))) return 'yes';
  return args.some((one) => one instanceof Unknown && (one.text === undefined || isIt(one.text))) ? 'maybe' : 'no';
}

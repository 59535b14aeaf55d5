import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EksNodeGroup, type EksNodeGroupConfig } from '@cdktf/provider-aws/lib/eks-node-group';
import { LaunchTemplate } from '@cdktf/provider-aws/lib/launch-template';
import { AwsProvider } from '@cdktf/provider-aws/lib/provider';
import { App, TerraformStack, type AppConfig } from 'cdktf';
import type { Construct } from 'constructs';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed after the tests of the file. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'eks-guardrails-cdktf-'));
  folders.push(path);
  return path;
}

/** An app with an output folder of its own. */
export function testApp(config: AppConfig = {}): App {
  return new App({ outdir: join(folder(), 'cdktf.out'), ...config });
}

export function stackWithProvider(scope: Construct, id: string): TerraformStack {
  const stack = new TerraformStack(scope, id);
  new AwsProvider(stack, 'Aws', { region: 'eu-central-1' });
  return stack;
}

/** A launch template that says all that nodes need; a hop limit of 1, or none, keeps pods of AL2023 nodes from it. */
export function launchTemplate(scope: Construct, id: string, hopLimit?: number): LaunchTemplate {
  return new LaunchTemplate(scope, id, {
    metadataOptions: {
      httpTokens: 'required',
      ...(hopLimit === undefined ? {} : { httpPutResponseHopLimit: hopLimit }),
    },
  });
}

/** Managed nodes of AL2023, with the latest version of a launch template. */
export function nodeGroup(
  scope: Construct,
  id: string,
  template: LaunchTemplate,
  more: Partial<EksNodeGroupConfig> = {},
): EksNodeGroup {
  return new EksNodeGroup(scope, id, {
    clusterName: 'shop',
    nodeRoleArn: 'arn:aws:iam::111122223333:role/nodes',
    subnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
    scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 1 },
    amiType: 'AL2023_x86_64_STANDARD',
    launchTemplate: { id: template.id, version: `\${${template.fqn}.latest_version}` },
    ...more,
  });
}

/** A stack of nodes; with a hop limit of 1, one that fails. */
export function nodesStack(scope: Construct, id: string, hopLimit?: number): TerraformStack {
  const stack = stackWithProvider(scope, id);
  nodeGroup(stack, 'Nodes', launchTemplate(stack, 'Template', hopLimit));
  return stack;
}

/** What a synthesis did: what it threw, and what went to the console. */
export interface Synthesis {
  readonly thrown: string | undefined;
  readonly printed: readonly string[];
}

export function synthesize(app: App): Synthesis {
  const printed: string[] = [];
  const silenced = jest.spyOn(console, 'error').mockImplementation((text: string) => void printed.push(text));
  try {
    app.synth();
    return { thrown: undefined, printed };
  } catch (error) {
    return { thrown: error instanceof Error ? error.message : String(error), printed };
  } finally {
    silenced.mockRestore();
  }
}

/** `error imds-hop-limit Platform/Template` of each line that begins a message, sorted. */
export function messages({ thrown = '', printed }: Synthesis): string[] {
  const text = [...printed, thrown].join('\n');
  return [...text.matchAll(/^\[(error|warning|info)\] (\S+): ([a-z0-9-]+): /gm)]
    .map(([, level = '', path = '', rule = '']) => `${level} ${rule} ${path}`)
    .sort();
}

/** The files below a folder with their texts, by relative path. */
export function filesIn(root: string): Record<string, string> {
  if (!existsSync(root)) return {};
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name));
  return Object.fromEntries(
    paths
      .filter((path) => statSync(path).isFile())
      .map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]),
  );
}

/** Runs with environment variables set. */
export function withEnvironment<T>(variables: Readonly<Record<string, string>>, work: () => T): T {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return work();
  } finally {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[name];
    }
  }
}

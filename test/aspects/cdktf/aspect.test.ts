import { Aspects, Testing, type App, type TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import { EksGuardrailsAspect } from '../../../aspects/cdktf';
import {
  filesIn,
  folder,
  launchTemplate,
  nodeGroup,
  nodesStack,
  stackWithProvider,
  synthesize,
  testApp,
  withEnvironment,
} from './apps';

const LEVELS: Readonly<Record<string, string>> = {
  '@cdktf/error': 'error',
  '@cdktf/warn': 'warning',
  '@cdktf/info': 'info',
};

/** `error imds-hop-limit Platform/Template` of each annotation; what can't be judged is left out. */
function annotations(root: IConstruct): string[] {
  return root.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata.flatMap(({ type, data }) =>
        LEVELS[type] === undefined
          ? []
          : [`${LEVELS[type]} ${String(data).split(': ').slice(0, -1)[0] ?? ''} ${node.path}`],
      ),
    )
    .filter((line) => !line.startsWith('info'))
    .sort();
}

function guarded(app: App, id: string, hopLimit: number): TerraformStack {
  const stack = nodesStack(app, id, hopLimit);
  Aspects.of(stack).add(new EksGuardrailsAspect());
  return stack;
}

describe('EksGuardrailsAspect', () => {
  it('marks the construct that causes a finding, which fails the synthesis', () => {
    const app = testApp();
    guarded(app, 'Platform', 1);
    const { thrown = '' } = synthesize(app);
    expect(thrown).toContain('Encountered Annotations with level "ERROR"');
    expect(thrown).toContain('[Platform/Template] imds-hop-limit: ');
    expect(thrown).toContain('\nFix: ');
    expect(annotations(app)).toEqual(['error imds-hop-limit Platform/Template']);
    expect(filesIn(app.outdir)).toEqual({});
  });

  it('passes a stack without faults, and annotates its warnings', () => {
    const app = testApp();
    const stack = stackWithProvider(app, 'Platform');
    nodeGroup(stack, 'Nodes', launchTemplate(stack, 'Template', 2), { forceUpdateVersion: true });
    Aspects.of(stack).add(new EksGuardrailsAspect());
    expect(synthesize(app).thrown).toBeUndefined();
    expect(annotations(app)).toEqual(['warning node-group-force-update Platform/Nodes']);
    expect(filesIn(app.outdir)['manifest.json']).toContain('node-group-force-update: ');
  });

  it('takes the same configuration as the other doors', () => {
    const app = testApp();
    const stack = nodesStack(app, 'Platform', 1);
    Aspects.of(stack).add(new EksGuardrailsAspect({ failOn: 'never' }));
    expect(synthesize(app).thrown).toBeUndefined();
    expect(annotations(app)).toEqual(['warning imds-hop-limit Platform/Template']);
    expect(() => new EksGuardrailsAspect({ rules: { 'imds-hop-limt': 'off' } })).toThrow('did you mean');
  });

  it('judges after other aspects and overrides, whatever the order', () => {
    const app = testApp();
    const stack = stackWithProvider(app, 'Platform');
    const template = launchTemplate(stack, 'Template', 2);
    nodeGroup(stack, 'Nodes', template);
    Aspects.of(stack).add(new EksGuardrailsAspect());
    Aspects.of(template).add({
      visit: () => {
        template.addOverride('metadata_options.http_put_response_hop_limit', 1);
      },
    });
    expect(synthesize(app).thrown).toContain('imds-hop-limit');
  });

  it('judges one construct of a stack, and leaves the others alone', () => {
    const app = testApp();
    const stack = stackWithProvider(app, 'Platform');
    const one = launchTemplate(stack, 'One', 1);
    nodeGroup(stack, 'OneNodes', one);
    nodeGroup(stack, 'OtherNodes', launchTemplate(stack, 'Other', 1));
    Aspects.of(one).add(new EksGuardrailsAspect());
    synthesize(app);
    expect(annotations(app)).toEqual(['error imds-hop-limit Platform/One']);
  });

  it('follows links to other stacks, and reports what is wrong there at its own stack', () => {
    const app = testApp();
    const templates = stackWithProvider(app, 'Templates');
    const shared = launchTemplate(templates, 'Shared');
    nodeGroup(templates, 'OwnNodes', launchTemplate(templates, 'NotMine', 1));
    const nodes = stackWithProvider(app, 'Nodes');
    nodeGroup(nodes, 'Group', shared);
    Aspects.of(nodes).add(new EksGuardrailsAspect());
    expect(synthesize(app).thrown).toContain('[Nodes] Templates/Shared: imds-hop-limit: ');
    expect(annotations(app)).toEqual(['error Templates/Shared Nodes']);
  });

  it('says the same thing once when an app is synthesized twice', () => {
    const app = testApp();
    guarded(app, 'Platform', 1);
    synthesize(app);
    synthesize(app);
    expect(annotations(app)).toEqual(['error imds-hop-limit Platform/Template']);
  });

  it('serves several stacks', () => {
    const app = testApp();
    const aspect = new EksGuardrailsAspect({ failOn: 'never' });
    for (const id of ['One', 'Two', 'Three']) Aspects.of(nodesStack(app, id, 1)).add(aspect);
    synthesize(app);
    expect(annotations(app)).toEqual([
      'warning imds-hop-limit One/Template',
      'warning imds-hop-limit Three/Template',
      'warning imds-hop-limit Two/Template',
    ]);
  });

  it('leaves the error to the command of CDKTF, which reads it in the manifest', () => {
    const outdir = folder();
    const { thrown } = withEnvironment({ CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: 'true' }, () => {
      const app = testApp({ outdir });
      guarded(app, 'Platform', 1);
      return synthesize(app);
    });
    expect(thrown).toBeUndefined();
    const manifest = JSON.parse(filesIn(outdir)['manifest.json'] ?? '') as {
      stacks: Record<string, { annotations: { level: string; constructPath: string }[] }>;
    };
    expect(manifest.stacks['Platform']?.annotations).toContainEqual(
      expect.objectContaining({ level: '@cdktf/error', constructPath: 'Platform/Template' }),
    );
  });

  it('can be asked in a unit test of a stack', () => {
    const app = testApp();
    const stack = guarded(app, 'Platform', 1);
    expect(() => Testing.fullSynth(stack)).toThrow('imds-hop-limit');
  });
});

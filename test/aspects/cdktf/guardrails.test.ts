import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Annotations,
  App,
  Aspects,
  AssetType,
  TerraformAsset,
  TerraformHclModule,
  TerraformOutput,
  TerraformStack,
  Testing,
  type IAspect,
  type ISynthesisSession,
} from 'cdktf';
import type { IConstruct } from 'constructs';
import { EksGuardrails, EksGuardrailsAspect, EksGuardrailsError } from '../../../aspects/cdktf';
import { LaunchTemplate } from '@cdktf/provider-aws/lib/launch-template';
import {
  filesIn,
  folder,
  launchTemplate,
  messages,
  nodeGroup,
  nodesStack,
  stackWithProvider,
  synthesize,
  testApp,
  withEnvironment,
} from './apps';

const HOP_LIMIT = 'error imds-hop-limit';

describe('EksGuardrails.of(app)', () => {
  it('fails the synthesis, and says on which construct, why and what to do', () => {
    const app = testApp();
    EksGuardrails.of(app);
    nodesStack(app, 'Platform', 1);
    const { thrown = '' } = synthesize(app);
    expect(thrown).toContain('1 error. Nothing was written.');
    expect(thrown).toMatch(/^\[error\] Platform\/Template: imds-hop-limit: .*hop limit of instance metadata to 1/m);
    expect(thrown).toMatch(/^Fix: .*\n/m);
    expect(thrown).toMatch(/^Docs: https:\/\/.*\/imds-hop-limit\.md$/m);
    expect(filesIn(app.outdir)).toEqual({});
  });

  it('throws an error of its own kind, with the line that called and nothing more', () => {
    const app = testApp();
    EksGuardrails.of(app);
    nodesStack(app, 'Platform', 1);
    const silenced = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      app.synth();
      throw new Error('it passed');
    } catch (error) {
      expect(error).toBeInstanceOf(EksGuardrailsError);
      const { stack = '', message } = error as EksGuardrailsError;
      expect(stack.startsWith(`EksGuardrailsError: ${message}`)).toBe(true);
      expect(stack.slice(`EksGuardrailsError: ${message}`.length).trim()).toMatch(
        /^at .*guardrails\.test\.ts:\d+:\d+\)?$/,
      );
    } finally {
      silenced.mockRestore();
    }
  });

  it('leaves nothing of any stack behind when one of them fails', () => {
    const app = testApp();
    EksGuardrails.of(app);
    nodesStack(app, 'First', 2);
    nodesStack(app, 'Second', 1);
    nodesStack(app, 'Third', 2);
    expect(messages(synthesize(app)).filter((line) => line.startsWith('error'))).toEqual([
      `${HOP_LIMIT} Second/Template`,
    ]);
    expect(filesIn(app.outdir)).toEqual({});
  });

  it('writes exactly what CDKTF writes when all stacks pass', () => {
    const build = (outdir: string): App => {
      const app = testApp({ outdir });
      nodesStack(app, 'Platform', 2);
      const other = stackWithProvider(app, 'Other');
      const asset = join(folder(), 'motd.txt');
      writeFileSync(asset, 'hello');
      new TerraformOutput(other, 'Motd', {
        value: new TerraformAsset(other, 'File', { path: asset, type: AssetType.FILE, assetHash: 'one' }).path,
      });
      return app;
    };
    const plain = build(folder());
    const guarded = build(folder());
    EksGuardrails.of(guarded, { failOn: 'never', rules: {} });
    expect(synthesize(plain).thrown).toBeUndefined();
    expect(synthesize(guarded).thrown).toBeUndefined();
    const without = (files: Record<string, string>) => ({
      ...files,
      'manifest.json': files['manifest.json']?.replace(/"annotations": \[[^\]]*\]/g, '"annotations": []'),
    });
    expect(without(filesIn(guarded.outdir))).toEqual(without(filesIn(plain.outdir)));
    expect(Object.keys(filesIn(guarded.outdir)).sort()).toEqual([
      'manifest.json',
      'stacks/Other/assets/File/one/motd.txt',
      'stacks/Other/cdk.tf.json',
      'stacks/Platform/cdk.tf.json',
    ]);
  });

  it('reaches stacks that are added later, also by constructs', () => {
    const app = testApp();
    nodesStack(app, 'Before', 1);
    EksGuardrails.of(app);
    nodesStack(app, 'After', 1);
    nodesStack(stackWithProvider(app, 'Outer'), 'Inner', 1);
    expect(messages(synthesize(app)).filter((line) => line.startsWith('error'))).toEqual([
      `${HOP_LIMIT} After/Template`,
      `${HOP_LIMIT} Before/Template`,
      `${HOP_LIMIT} Outer/Inner/Template`,
    ]);
  });

  it('follows links between stacks', () => {
    const app = testApp();
    EksGuardrails.of(app);
    const templates = stackWithProvider(app, 'Templates');
    const shared = launchTemplate(templates, 'Shared');
    nodeGroup(stackWithProvider(app, 'Nodes'), 'Group', shared);
    expect(messages(synthesize(app)).filter((line) => line.startsWith('error'))).toEqual([
      `${HOP_LIMIT} Templates/Shared`,
    ]);
  });

  it('judges what overrides and aspects make of it, and runs aspects once', () => {
    const app = testApp();
    EksGuardrails.of(app);
    const stack = nodesStack(app, 'Platform', 2);
    const overridden = launchTemplate(stack, 'Overridden', 2);
    overridden.addOverride('metadata_options.http_put_response_hop_limit', 1);
    nodeGroup(stack, 'Others', overridden);
    const byAspect = launchTemplate(stack, 'ByAspect', 2);
    nodeGroup(stack, 'More', byAspect);
    let visits = 0;
    const aspect: IAspect = {
      visit: (node: IConstruct) => {
        if (node === stack) visits++;
        if (node === byAspect) byAspect.addOverride('metadata_options.http_put_response_hop_limit', 1);
      },
    };
    Aspects.of(stack).add(aspect);
    expect(messages(synthesize(app)).filter((line) => line.startsWith('error'))).toEqual([
      `${HOP_LIMIT} Platform/ByAspect`,
      `${HOP_LIMIT} Platform/Overridden`,
    ]);
    expect(visits).toBe(1);
  });

  it('can be synthesized again, after the fault is mended too', () => {
    const app = testApp();
    EksGuardrails.of(app);
    const stack = stackWithProvider(app, 'Platform');
    const template = launchTemplate(stack, 'Template', 1);
    nodeGroup(stackWithProvider(app, 'Nodes'), 'Group', template);
    expect(synthesize(app).thrown).toContain('imds-hop-limit');
    expect(synthesize(app).thrown).toContain('imds-hop-limit');
    template.putMetadataOptions({ httpTokens: 'required', httpPutResponseHopLimit: 2 });
    expect(synthesize(app).thrown).toBeUndefined();
    const first = filesIn(app.outdir);
    expect(synthesize(app).thrown).toBeUndefined();
    expect(filesIn(app.outdir)).toEqual(first);
  });

  describe('what an earlier synthesis left', () => {
    function build(outdir: string, hopLimit: number): App {
      const app = testApp({ outdir });
      EksGuardrails.of(app);
      const stack = nodesStack(app, 'Platform', hopLimit);
      const file = join(folder(), 'motd.txt');
      writeFileSync(file, `limit ${hopLimit}`);
      new TerraformAsset(stack, 'File', { path: file, type: AssetType.FILE, assetHash: `hash-${hopLimit}` });
      return app;
    }

    it('stays as it is when the next one fails, assets included', () => {
      const outdir = folder();
      expect(synthesize(build(outdir, 2)).thrown).toBeUndefined();
      const earlier = filesIn(outdir);
      expect(synthesize(build(outdir, 1)).thrown).toContain(
        `Nothing was written; what is in ${outdir} is from an earlier synthesis.`,
      );
      expect(filesIn(outdir)).toEqual(earlier);
    });

    it('is replaced when the next one passes, but for the files of Terraform', () => {
      const outdir = folder();
      expect(synthesize(build(outdir, 2)).thrown).toBeUndefined();
      mkdirSync(join(outdir, 'stacks/Platform/.terraform'));
      writeFileSync(join(outdir, 'stacks/Platform/.terraform/lock'), 'kept');
      expect(synthesize(build(outdir, 3)).thrown).toBeUndefined();
      expect(Object.keys(filesIn(outdir)).sort()).toEqual([
        'manifest.json',
        'stacks/Platform/.terraform/lock',
        'stacks/Platform/assets/File/hash-3/motd.txt',
        'stacks/Platform/cdk.tf.json',
      ]);
    });
  });

  describe('a synthesis that fails for another reason', () => {
    it('throws that reason, writes nothing, and leaves the stacks as they were', () => {
      const app = testApp();
      EksGuardrails.of(app);
      const first = nodesStack(app, 'First', 2);
      const { synthesizer } = first;
      const second = nodesStack(app, 'Second', 2);
      let problems = ['the tag is missing'];
      second.node.addValidation({ validate: () => problems });
      expect(synthesize(app).thrown).toContain('the tag is missing');
      expect(filesIn(app.outdir)).toEqual({});
      expect(first.synthesizer).toBe(synthesizer);
      problems = [];
      expect(synthesize(app).thrown).toBeUndefined();
      expect(Object.keys(filesIn(app.outdir))).toContain('manifest.json');
    });

    it('passes error annotations of others on, as the command of CDKTF wants it', () => {
      const outdir = folder();
      const synthesis = withEnvironment({ CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: 'true' }, () => {
        const app = testApp({ outdir });
        EksGuardrails.of(app);
        Annotations.of(nodesStack(app, 'Platform', 2)).addError('no owner');
        return synthesize(app);
      });
      expect(synthesis.thrown).toBeUndefined();
      expect(filesIn(outdir)['manifest.json']).toContain('no owner');
    });
  });

  describe('warnings and what can not be judged', () => {
    function build(outdir = folder()): App {
      const app = testApp({ outdir });
      const stack = stackWithProvider(app, 'Platform');
      nodeGroup(stack, 'Nodes', launchTemplate(stack, 'Template', 2), { forceUpdateVersion: true });
      return app;
    }
    const WARNING = 'warning node-group-force-update Platform/Nodes';

    it('go through, and are printed and kept as annotations', () => {
      const app = build();
      EksGuardrails.of(app);
      const synthesis = synthesize(app);
      expect(synthesis.thrown).toBeUndefined();
      expect(messages(synthesis)).toContain(WARNING);
      expect(messages(synthesis)).toContain('info vpc-cni-role-missing Platform/Nodes');
      const { stacks } = JSON.parse(readFileSync(join(app.outdir, 'manifest.json'), 'utf8')) as {
        stacks: Record<string, { annotations: { constructPath: string; level: string; message: string }[] }>;
      };
      const annotations = stacks['Platform']?.annotations.map(
        ({ constructPath, level, message }) => `${level} ${message.split(':')[0] ?? ''} ${constructPath}`,
      );
      expect(annotations).toContain('@cdktf/warn node-group-force-update Platform/Nodes');
      expect(annotations).toContain('@cdktf/info vpc-cni-role-missing Platform/Nodes');
      expect(new Set(annotations).size).toBe(annotations?.length);
    });

    it('are left to the command of CDKTF where that shows the annotations', () => {
      const synthesis = withEnvironment({ CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: 'true' }, () => {
        const app = build();
        EksGuardrails.of(app);
        return synthesize(app);
      });
      expect(synthesis).toEqual({ thrown: undefined, printed: [] });
    });

    it('fail if failOn says so, and nothing fails with never', () => {
      const strict = build();
      EksGuardrails.of(strict, { failOn: 'warning' });
      expect(synthesize(strict).thrown).toContain('[error] Platform/Nodes: node-group-force-update: ');
      const stricter = build();
      EksGuardrails.of(stricter, { failOn: 'unverifiable' });
      expect(synthesize(stricter).thrown).toContain('[error] Platform/Nodes: vpc-cni-role-missing: ');
      const never = testApp();
      EksGuardrails.of(never, { failOn: 'never' });
      nodesStack(never, 'Platform', 1);
      const synthesis = synthesize(never);
      expect(synthesis.thrown).toBeUndefined();
      expect(messages(synthesis)).toContain('warning imds-hop-limit Platform/Template');
    });

    it('are printed beside errors, where what can not be judged is only counted', () => {
      const app = build();
      EksGuardrails.of(app);
      nodesStack(app, 'Bad', 1);
      const synthesis = synthesize(app);
      expect(messages(synthesis)).toEqual([`${HOP_LIMIT} Bad/Template`, WARNING]);
      expect(synthesis.printed.join('\n')).toMatch(/^\[info\] \d+ more can't be judged before deployment/m);
    });

    it('follow the levels of the configuration', () => {
      const app = build();
      EksGuardrails.of(app, { rules: { 'node-group-force-update': 'error', 'vpc-cni-role-missing': 'off' } });
      const found = messages(synthesize(app));
      expect(found).toContain('error node-group-force-update Platform/Nodes');
      expect(found.join()).not.toContain('vpc-cni-role-missing');
    });
  });

  describe('its configuration', () => {
    it('is refused at once if it names what does not exist', () => {
      expect(() => EksGuardrails.of(testApp(), { rules: { 'imds-hop-limt': 'off' } })).toThrow(
        'did you mean "imds-hop-limit"?',
      );
    });

    it('is given once', () => {
      const app = testApp();
      const one = EksGuardrails.of(app, { failOn: 'warning' });
      expect(EksGuardrails.of(app)).toBe(one);
      expect(EksGuardrails.of(app, { failOn: 'warning' })).toBe(one);
      expect(() => EksGuardrails.of(app, { failOn: 'never' })).toThrow(
        'already called for this app, with another configuration',
      );
      nodesStack(app, 'Platform', 1);
      expect(messages(synthesize(app)).filter((line) => line.startsWith(HOP_LIMIT))).toHaveLength(1);
    });

    it('is not for a stack', () => {
      const stack = nodesStack(testApp(), 'Platform', 1);
      expect(() => EksGuardrails.of(stack as unknown as App)).toThrow('EksGuardrails.of takes the App');
    });
  });

  describe('ways around', () => {
    it('skipValidation is none', () => {
      const app = testApp({ skipValidation: true });
      EksGuardrails.of(app);
      nodesStack(app, 'Platform', 1);
      expect(messages(synthesize(app)).join()).toContain(`${HOP_LIMIT} Platform/Template`);
      expect(filesIn(app.outdir)).toEqual({});
    });

    it('HCL as output is none', () => {
      withEnvironment({ SYNTH_HCL_OUTPUT: 'true' }, () => {
        const bad = testApp();
        EksGuardrails.of(bad);
        nodesStack(bad, 'Platform', 1);
        expect(messages(synthesize(bad)).join()).toContain(`${HOP_LIMIT} Platform/Template`);
        expect(filesIn(bad.outdir)).toEqual({});
        const good = testApp();
        EksGuardrails.of(good);
        nodesStack(good, 'Platform', 2);
        expect(synthesize(good).thrown).toBeUndefined();
        expect(Object.keys(filesIn(good.outdir)).sort()).toEqual([
          'manifest.json',
          'stacks/Platform/cdk.tf',
          'stacks/Platform/metadata.json',
        ]);
      });
    });

    it('a target stack is none', () => {
      withEnvironment({ CDKTF_TARGET_STACK_ID: 'Good' }, () => {
        const app = testApp();
        EksGuardrails.of(app);
        nodesStack(app, 'Good', 2);
        nodesStack(app, 'Bad', 1);
        expect(messages(synthesize(app)).join()).toContain(`${HOP_LIMIT} Bad/Template`);
      });
    });

    it('an app with a synth of its own is none', () => {
      class OwnApp extends App {
        override synth(): void {
          for (const stack of this.node.children)
            if (TerraformStack.isStack(stack))
              stack.synthesizer.synthesize({ outdir: this.outdir, manifest: this.manifest });
        }
      }
      const app = new OwnApp({ outdir: join(folder(), 'cdktf.out') });
      EksGuardrails.of(app);
      nodesStack(app, 'Platform', 1);
      expect(messages(synthesize(app)).join()).toContain(`${HOP_LIMIT} Platform/Template`);
      expect(filesIn(app.outdir)).toEqual({});
    });

    it('a synthesizer that writes something else is judged by what it writes', () => {
      const app = testApp();
      EksGuardrails.of(app);
      const stack = nodesStack(app, 'Platform', 2);
      const own = stack.synthesizer;
      stack.synthesizer = {
        synthesize: (session: ISynthesisSession) => {
          own.synthesize(session);
          const file = join(session.outdir, session.manifest.forStack(stack).synthesizedStackPath);
          writeFileSync(
            file,
            readFileSync(file, 'utf8').replace('"http_put_response_hop_limit": 2', '"http_put_response_hop_limit": 1'),
          );
        },
      };
      expect(messages(synthesize(app)).join()).toContain(`${HOP_LIMIT} Platform/Template`);
    });
  });

  describe('a module in the folder of the stack', () => {
    const MODULE = `
      variable "hop_limit" {}
      resource "aws_launch_template" "nodes" {
        metadata_options {
          http_tokens                 = "required"
          http_put_response_hop_limit = var.hop_limit
        }
      }
      resource "aws_eks_node_group" "nodes" {
        cluster_name  = "shop"
        node_role_arn = "arn:aws:iam::111122223333:role/nodes"
        subnet_ids    = ["subnet-0123456789abcdef0"]
        ami_type      = "AL2023_x86_64_STANDARD"
        launch_template {
          id      = aws_launch_template.nodes.id
          version = aws_launch_template.nodes.latest_version
        }
      }`;

    function build(hopLimit: number, isThere = true): { app: App; stack: TerraformStack } {
      const app = testApp();
      const stack = stackWithProvider(app, 'Platform');
      new TerraformHclModule(stack, 'Module', {
        source: './nodes',
        skipAssetCreationFromLocalModules: true,
        variables: { hop_limit: hopLimit },
      });
      if (isThere) {
        mkdirSync(join(app.outdir, 'stacks/Platform/nodes'), { recursive: true });
        writeFileSync(join(app.outdir, 'stacks/Platform/nodes/main.tf'), MODULE);
      }
      return { app, stack };
    }

    it('is judged', () => {
      const bad = build(1).app;
      EksGuardrails.of(bad);
      expect(synthesize(bad).thrown).toMatch(
        /imds-hop-limit: Launch template .*module\.Module\.aws_launch_template\.nodes/,
      );
      const good = build(2).app;
      EksGuardrails.of(good);
      expect(synthesize(good).thrown).toBeUndefined();
    });

    it('may be copied there later, so that the aspect only warns when it is missing', () => {
      const { app, stack } = build(2, false);
      Aspects.of(stack).add(new EksGuardrailsAspect());
      expect(synthesize(app).thrown).toBeUndefined();
      expect(filesIn(app.outdir)['manifest.json']).toContain('there is no folder');
    });
  });

  it('leaves the testing tools of CDKTF alone', () => {
    const app = testApp();
    EksGuardrails.of(app);
    const stack = nodesStack(app, 'Platform', 1);
    expect(Testing.synth(stack)).toContain('aws_eks_node_group');
    expect(() => {
      expect(stack).toBeDefined();
      Testing.fullSynth(stack);
    }).not.toThrow();
    expect(Testing.toHaveResource(Testing.synth(stack), LaunchTemplate.tfResourceType)).toBe(true);
  });
});

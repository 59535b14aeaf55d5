import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Copy, Dockerfile, From, JSONInstruction, PropertyInstruction } from 'dockerfile-ast';

/** An image as a folder, with what a Dockerfile says of how it runs. */
export interface Image {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
}

/** Folders of images, and no others, that instructions name. */
const OF_IMAGE = /(?<![\w./-])\/(?=(?:opt|tmp|work)\b)/g;

/**
 * Goes through the instructions of a Dockerfile without Docker: a folder stands for each stage, and the programs of this machine for those of its base.
 * @param context the folder whose files are copied
 * @param env of commands that run
 * @throws Error for an instruction that it doesn't know
 */
export async function build(
  dockerfile: Dockerfile,
  scratch: string,
  context: string,
  env: NodeJS.ProcessEnv,
): Promise<Image> {
  const stages = new Map<string, Stage>();
  let stage = new Stage(join(scratch, 'none'), {});
  for (const instruction of dockerfile.getInstructions()) {
    switch (instruction.getKeyword()) {
      case 'FROM':
        stage = new Stage(join(scratch, `stage-${stages.size}`), env);
        stages.set((instruction as From).getBuildStage() ?? '', stage);
        break;
      case 'COPY': {
        const from = (instruction as Copy).getFromFlag()?.getValue();
        const [source = '', target = ''] = instruction.getArguments().map((argument) => argument.getValue());
        const folder = from === undefined || from === null ? context : (stages.get(from)?.root ?? '');
        cpSync(join(folder, source), join(stage.root, target), { recursive: true, verbatimSymlinks: true });
        break;
      }
      case 'RUN':
        await stage.run(instruction.getArgumentsContent() ?? '');
        break;
      case 'ENV':
        for (const property of (instruction as PropertyInstruction).getProperties())
          stage.env[property.getName()] = property.getValue() ?? '';
        break;
      case 'WORKDIR':
        stage.workdir = instruction.getArgumentsContent() ?? '';
        mkdirSync(join(stage.root, stage.workdir), { recursive: true });
        break;
      case 'USER':
        stage.user = instruction.getArgumentsContent() ?? '';
        break;
      case 'ENTRYPOINT':
        stage.entrypoint = (instruction as JSONInstruction).getJSONStrings().map((part) => part.getJSONValue());
        break;
      case 'ARG':
      case 'CMD':
      case 'LABEL':
        break;
      default:
        throw new Error(`what does ${instruction.getKeyword()} do?`);
    }
  }
  return stage;
}

class Stage implements Image {
  readonly env: Record<string, string> = {};
  workdir = '/';
  user = '';
  entrypoint: readonly string[] = [];

  constructor(
    readonly root: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    // Packages of the distribution come from its mirrors.
    const apk = join(root, 'bin/apk');
    mkdirSync(dirname(apk), { recursive: true });
    mkdirSync(join(root, 'tmp'));
    writeFileSync(apk, '#!/bin/sh\n[ "$*" = "add --no-cache git" ]\n', { mode: 0o755 });
  }

  async run(command: string): Promise<void> {
    await promisify(execFile)('sh', ['-ec', command.replace(OF_IMAGE, `${this.root}/`)], {
      cwd: join(this.root, this.workdir),
      env: { ...this.environment, PATH: `${join(this.root, 'bin')}:${process.env['PATH'] ?? ''}` },
    });
  }
}

/** Runs an image in a folder that is mounted as its working directory. */
export async function runImage(
  { root, env, user, entrypoint }: Image,
  folder: string,
  args: readonly string[],
): Promise<{ readonly exitCode: unknown; readonly stdout: string; readonly stderr: string }> {
  const [program = '', ...own] = entrypoint;
  const path = (env['PATH'] ?? '$PATH').replace(OF_IMAGE, `${root}/`).replace('$PATH', process.env['PATH'] ?? '');
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  return new Promise((resolve) => {
    execFile(
      program,
      [...own, ...args],
      // Only root may run something as somebody else.
      { cwd: folder, env: { ...env, PATH: path }, ...(process.getuid?.() === 0 ? { uid, gid } : {}) },
      (error, stdout, stderr) => {
        resolve({ exitCode: error?.code ?? 0, stdout, stderr });
      },
    );
  });
}

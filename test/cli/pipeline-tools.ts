import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtCommand, projectRoot } from './built-command';

export interface ScriptResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The machine of a pipeline: a folder with stand-ins for the programs that load something from the network. */
export class PipelineMachine {
  private readonly bin: string;

  constructor(private readonly folder: string) {
    this.bin = join(folder, '.bin');
    mkdirSync(this.bin);
    const node = `"${process.execPath}"`;
    this.program('eks-guardrails', `exec ${node} "${builtCommand()}" "$@"`);
    this.program(
      'npx',
      `while [[ $1 == -* ]]; do shift; done
      echo "$1" >> "${folder}/asked"
      case $1 in
        eks-guardrails@unreachable) exit 1 ;;
        eks-guardrails@*) exec ${node} "${builtCommand()}" "\${@:2}" ;;
        aws-cdk@2) exec ${node} "${join(projectRoot, 'node_modules/aws-cdk/bin/cdk')}" "\${@:2}" ;;
        *) echo "npx: no stand-in for $1" >&2; exit 1 ;;
      esac`,
    );
    this.program(
      'npm',
      `if [[ ! -e package-lock.json ]]; then exit 1; fi; ln -sfn "${join(projectRoot, 'node_modules')}" node_modules`,
    );
    this.program('apt-get', '');
    this.program('python3', `mkdir -p .venv/bin; echo "export IN_VENV=1" > .venv/bin/activate`);
    this.program('pip', '[[ $IN_VENV == 1 && -e $3 ]]');
  }

  /** Puts a program on the path. */
  program(name: string, script: string): void {
    writeFileSync(join(this.bin, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  }

  /** Runs a script as the runners of GitHub and GitLab do. */
  run(script: string, { cwd = '.', env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): ScriptResult {
    const inherited = Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^(?:FORCE_COLOR|NO_COLOR|GITHUB_\w+|GITLAB_CI|CI_PROJECT_DIR)$/.test(name),
      ),
    );
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: join(this.folder, cwd),
      encoding: 'utf8',
      env: { ...inherited, PATH: `${this.bin}:${process.env['PATH'] ?? ''}`, ...env },
    });
    return { exitCode: status, stdout, stderr };
  }
}

import { Workspace, type Printed } from '../../lib/mcp/workspace';
import { runCommand } from '../cli/built-command';

/** Runs commands in a thread, and keeps what was run. */
export class InThread extends Workspace {
  readonly ran: string[][] = [];
  answer: Printed | undefined;

  constructor(private readonly folder: string) {
    super(folder);
  }

  override run(args: readonly string[], signal: AbortSignal, input = ''): Promise<Printed> {
    this.ran.push([...args]);
    if (signal.aborted) throw new Error('it was called off');
    if (this.answer !== undefined) return Promise.resolve(this.answer);
    const { exitCode, stdout, stderr } = runCommand(args, {
      cwd: this.folder,
      input,
      env: { EKS_GUARDRAILS_NO_CONFIG_CODE: '1' },
    });
    return Promise.resolve({ exitCode: exitCode ?? -1, stdout, stderr });
  }
}

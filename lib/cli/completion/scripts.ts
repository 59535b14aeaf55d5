import { bashScript } from './bash';
import type { CommandWords, Shell } from './candidates';
import { fishScript } from './fish';
import { powershellScript } from './powershell';
import { zshScript } from './zsh';

/** A script that makes a shell complete the command line. */
export function completionScript(shell: Shell, commands: readonly CommandWords[]): string {
  const lines = SCRIPTS[shell](commands, 'eks-guardrails');
  return `${lines.join('\n')}\n`;
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CommandWords[], program: string) => readonly string[]>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

import { Command } from 'commander';

export function completionCommand(program: Command): Command {
  return new Command('completion')
    .summary('print a script for the completion of a shell')
    .description('Prints a script that makes a shell complete commands, options, formats and rules.')
    .argument('<SHELL>', 'bash, zsh, fish or powershell')
    .addHelpText(
      'after',
      `
Examples:
  source <(eks-guardrails completion bash)
  source <(eks-guardrails completion zsh)
  eks-guardrails completion fish | source
  eks-guardrails completion powershell | Out-String | Invoke-Expression`,
    )
    .action(async (shell: string) => {
      const { completionFor } = await import('../completion/completion-command.js');
      process.stdout.write(completionFor(shell, program));
    });
}

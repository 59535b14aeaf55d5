import { Command, Option } from 'commander';

export function lspCommand(finish: (exitCode: number) => void): Command {
  return (
    new Command('lsp')
      .summary('serve an editor')
      .description(
        'Serves the Language Server Protocol on standard input and output: findings while you type, repairs and decisions as code actions, and the story of a rule where the pointer is. Needs the package vscode-languageserver.',
      )
      // What clients of several editors add by themselves.
      .addOption(new Option('--stdio', 'the standard input and output (the only way)').hideHelp())
      // That of VS Code adds it, and the library ends with that process.
      .addOption(new Option('--clientProcessId <id>', 'process of the editor').hideHelp())
      .action(async () => {
        const { serveEditor } = await import('../lsp-command.js');
        finish(await serveEditor());
      })
  );
}

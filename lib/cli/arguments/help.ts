import { Command } from 'commander';
import { didYouMean } from '../parts/suggestions';
import { UsageError } from '../parts/usage-error';

export function helpCommand(program: Command): Command {
  return new Command('help')
    .summary('print the help of a command')
    .description('Prints the help of a command, or without one the list of commands.')
    .argument('[COMMAND]')
    .action((name: string | undefined) => {
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (command === undefined)
        throw new UsageError(
          noCommand(
            name ?? '',
            program.commands.map((one) => one.name()),
          ),
        );
      command.outputHelp();
    });
}

function noCommand(name: string, names: readonly string[]): string {
  return `there is no command "${name}"; ${didYouMean(name, names)}the commands are ${names.join(', ')}`;
}

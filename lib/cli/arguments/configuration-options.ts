import { type Command, Option } from 'commander';
import { fileOption } from '../parts/suggestions';

export function withConfigurationOptions(command: Command): Command {
  return command
    .addOption(configurationOption())
    .addOption(new Option('--no-config', 'use no configuration file'))
    .addOption(new Option('--config-code', 'run configuration files and custom rules that are code (the default)'))
    .addOption(
      new Option(
        '--no-config-code',
        'run no code: read a configuration of JSON or YAML only (also EKS_GUARDRAILS_NO_CONFIG_CODE=1)',
      ),
    );
}

function configurationOption(): Option {
  return fileOption(
    '--config <file>',
    'configuration file (default: eks-guardrails.config.* of the nearest folder upwards, to the root of the repository)',
  );
}

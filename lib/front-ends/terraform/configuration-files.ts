import { openTofuName } from '../../terraform/module/opentofu-files';

const CONFIGURATION_FILE = /\.(?:tf|tofu)(?:\.json)?$/;

/** Whether a file is one of a configuration, by its name. Terraform ignores what editors leave beside it: `.#main.tf`, `#main.tf#`, `main.tf~`; but it reads `#main.tf`. */
export function isConfigurationFile(name: string): boolean {
  return CONFIGURATION_FILE.test(name) && !name.startsWith('.');
}

/** Of the files of a folder those of a configuration. OpenTofu reads `main.tofu` in the place of `main.tf`. */
export function configurationFiles(names: readonly string[]): readonly string[] {
  const all = new Set(names);
  return names.filter((name) => {
    const forTofu = openTofuName(name);
    return isConfigurationFile(name) && (forTofu === name || !all.has(forTofu));
  });
}

import type { TerraformInstance } from '../../terraform/instance';
import { isWithin } from '../../files/within';
import type { FrontEndResult, InputReader, ReadingRun } from '../front-end';
import { ConfigurationFolders, type ConfigurationsRead } from './configuration-folders';
import { expandKnownModule } from './known-modules';
import { readInstances } from './resources';
import { unreadableObjects } from './resources/unreadable-objects';
import { unreadInstances } from './resources/unread-instances';

/** Reads the configurations and plans of a run together. */
export class TerraformReader implements InputReader {
  readonly configurations: ConfigurationFolders;
  private readonly planned: TerraformInstance[] = [];
  private readonly secrets: string[] = [];
  private configured: ConfigurationsRead | undefined;

  constructor(private readonly run: ReadingRun) {
    this.configurations = new ConfigurationFolders(run.files);
  }

  /** What a plan holds. */
  addPlan(instances: readonly TerraformInstance[], secrets: readonly string[]): void {
    for (const instance of instances) this.planned.push(instance);
    for (const secret of secrets) this.secrets.push(secret);
  }

  begin(): void {
    this.configured = this.readConfigurations();
  }

  private readConfigurations(): ConfigurationsRead {
    const { given, reading } = this.run;
    const configured = this.configurations.read(expandKnownModule, given.terraform, given.varFiles);
    for (const root of configured.rootModules) reading.onRootModule?.(root);
    return configured;
  }

  mayAsk(file: string): boolean {
    return (
      this.configured?.rootModules.some(({ folders }) => folders.some((folder) => isWithin(file, folder))) === true
    );
  }

  read(): FrontEndResult {
    const configured = (this.configured ??= this.readConfigurations());
    const { inputs, instances, acknowledgements, suppressions, secrets, turnedOff } = configured;
    const all = [...this.planned, ...instances];
    const enabled = all.filter(({ isNotEnabled = false }) => !isNotEnabled);
    // Twice: what isn't enabled changes nothing of what is.
    const asIfEnabled = enabled.length === all.length ? {} : { asIfEnabled: readInstances(all, acknowledgements) };
    const resources = readInstances(enabled, acknowledgements);
    return {
      inputs,
      resources,
      ...asIfEnabled,
      diagnostics: [...configured.diagnostics, ...unreadableObjects(resources)],
      suppressions,
      secrets: [...this.secrets, ...secrets],
      turnedOff,
      notRead: unreadInstances(all),
    };
  }
}

export function terraformReader(run: ReadingRun): TerraformReader {
  return new TerraformReader(run);
}

export {
  defineConfig,
  type ConfigurationFileContent,
  type IgnoreContent,
} from './content';
export { loadConfigurationFile, loadNearestConfiguration, type ConfigurationFile } from './load';
export { withConfigurationFile } from './merge';
export { mergeConfigurations, type CheckConfiguration } from './joined';
export { ConfigurationFileError, type ConfigurationProblem } from './problems';

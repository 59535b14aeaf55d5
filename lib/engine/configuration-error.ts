/** Thrown for a configuration that names things that don't exist; the message says which and suggests a name. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

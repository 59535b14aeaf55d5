/** A command line that makes no sense; the message goes to the user as it is. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

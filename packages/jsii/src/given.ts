type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Other languages name all members of a struct, and say nothing of those that nobody has set. */
export function withoutUndefined<T extends object>(settings: T): Given<T> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Given<T>;
}

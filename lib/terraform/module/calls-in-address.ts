const STEP = /^module\.[\w-]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+|\*)\])?/;

/** The calls of modules in the address of a resource or module, outermost first: `module.a["x"]`, `module.b`. */
export function callsIn(address: string): string[] {
  const calls: string[] = [];
  for (let rest = address; ; ) {
    const [call] = STEP.exec(rest) ?? [];
    if (call === undefined) return calls;
    calls.push(call);
    rest = rest.slice(call.length + 1);
  }
}

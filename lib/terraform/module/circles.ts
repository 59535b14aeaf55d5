/** One node of each circle of a graph, found without recursion: chains can be long. */
export function circlesIn(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const circles = new Set<string>();
  const done = new Set<string>();
  const onPath = new Set<string>();
  for (const start of edges.keys()) {
    const path = [visit(start)];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.targets.next();
      if (next.done === true) {
        onPath.delete(last.name);
        done.add(last.name);
        path.pop();
      } else if (onPath.has(next.value)) circles.add(next.value);
      else if (!done.has(next.value)) path.push(visit(next.value));
    }
  }
  return [...circles];

  function visit(name: string) {
    const targets = done.has(name) ? [] : (edges.get(name) ?? []);
    onPath.add(name);
    return { name, targets: targets[Symbol.iterator]() as Iterator<string, undefined> };
  }
}

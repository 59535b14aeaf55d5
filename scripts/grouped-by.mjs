/** What Map.groupBy does, which Node 20 lacks. */
export function groupedBy(items, keyOfItem) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOfItem(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

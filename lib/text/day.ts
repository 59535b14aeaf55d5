/** Whether a value is a day of the calendar, written `YYYY-MM-DD`. */
export function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** How many days lie between two days of the calendar; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** The day so many days after another. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The day on which this runs, in UTC. Nothing else asks the clock: rules are told the day that they judge for. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The time of this day as the clock on the wall has it, `HH:MM:SS`: for what happens before somebody's eyes. */
export function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}

/** What times of files are compared with: milliseconds since 1970. */
export function instant(): number {
  return Date.now();
}

import { isDay, today } from '../../lib/text/day';

it.each<[unknown, boolean]>([
  ['2027-02-28', true],
  ['2028-02-29', true],
  ['2027-02-29', false],
  ['2027-13-01', false],
  ['2027-00-10', false],
  ['2027-2-03', false],
  ['02027-02-03', false],
  ['2027-02-03T00:00:00Z', false],
  ['2027-02-03 ', false],
  ['', false],
  [20270203, false],
  [new Date(0), false],
  [['2027-02-03'], false],
  [undefined, false],
])('%j is a day: %s', (value, expected) => {
  expect(isDay(value)).toBe(expected);
});

it('so is the day on which this runs', () => {
  expect(isDay(today())).toBe(true);
});

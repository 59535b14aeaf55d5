import { keptByText } from '../../lib/text/kept-by-text';

it('what is kept by text is made once for each, also where that is nothing, and not kept for more than a thousand', () => {
  const asked: string[] = [];
  const kept = keptByText((text) => {
    asked.push(text);
    return text === 'none' ? undefined : text.length;
  });
  expect(['some', 'none', 'some', 'none'].map(kept)).toEqual([4, undefined, 4, undefined]);
  expect(asked).toEqual(['some', 'none']);
  for (let index = 0; index < 998; index++) kept(`${index}`);
  kept('none');
  expect(asked).toHaveLength(1000);
  kept('one more');
  kept('none');
  expect(asked.slice(1000)).toEqual(['one more', 'none']);
});

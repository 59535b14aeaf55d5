import { webAddress } from '../../lib/reports/web-address';

describe('an address of the web', () => {
  it.each([
    ['https://example.com/rules', 'https://example.com/rules'],
    ['HTTP://Example.com', 'http://example.com/'],
    ['https://example.com/a[b](c)|d', 'https://example.com/a%5Bb%5D%28c%29%7Cd'],
    ['https://example.com/100%', 'https://example.com/100%25'],
    ['https://example.com/a%20b', 'https://example.com/a%20b'],
    ['https://example.com/ä#ö', 'https://example.com/%C3%A4#%C3%B6'],
    ['https://example.com/a?b=c&d#e', 'https://example.com/a?b=c&d#e'],
    ['https://example.com/#a#b', 'https://example.com/#a%23b'],
  ])('is written as programs take it: %s', (text, address) => {
    expect(webAddress(text)).toBe(address);
  });

  it.each([
    '',
    'docs/rule.md',
    'see the wiki',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://[::1]/',
    'https://example.com/a b',
    'https://example.com/"onclick="x',
    'https://example.com/<b>',
    'https://',
  ])('is none of: %j', (text) => {
    expect(webAddress(text)).toBeUndefined();
  });
});

import { looseMediaType, looseParameter, parseMediaType } from '../../../lib/eks/user-data/mime/media-type';

/* As mime.ParseMediaType of Go reads it, for nodeadm, and as email.message of Python, for cloud-init. */

describe('a media type of Go', () => {
  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['text/plain', 'text/plain', {}],
    [' Text/X-Shellscript ; Charset=UTF-8', 'text/x-shellscript', { charset: 'UTF-8' }],
    ['multipart/mixed; boundary="a b"; x=y', 'multipart/mixed', { boundary: 'a b', x: 'y' }],
    ['a/b; x="c\\"d\\\\e"', 'a/b', { x: 'c"d\\e' }],
    ['a/b; x="c\\d"', 'a/b', { x: 'c\\d' }],
    ['a/b; x=""', 'a/b', { x: '' }],
    ['a/b; x = y', 'a/b', { x: 'y' }],
    ['a/b; x=y; x=y', 'a/b', { x: 'y' }],
    ['a/b;', 'a/b', {}],
    ['a/b; x=y ; ', 'a/b', { x: 'y' }],
    ['form-data; x=y', 'form-data', { x: 'y' }],
  ])('%j is %j', (value, mediaType, parameters) => {
    const read = parseMediaType(value);
    expect(
      'error' in read ? read : { mediaType: read.mediaType, parameters: Object.fromEntries(read.parameters) },
    ).toEqual({ mediaType, parameters });
  });

  it.each([
    ['', 'no media type'],
    ['; x=y', 'no media type'],
    ['a b', 'expected slash after first token'],
    ['a/', 'expected token after slash'],
    ['a/b c', 'unexpected content after media subtype'],
    ['a/b/c', 'unexpected content after media subtype'],
    ['ä/b', 'no media type'],
    ['a/b; x', 'invalid media parameter'],
    ['a/b; =y', 'invalid media parameter'],
    ['a/b; x=', 'invalid media parameter'],
    ['a/b; x="y', 'invalid media parameter'],
    ['a/b; x="y\nz"', 'invalid media parameter'],
    ['a/b; x="y\rz"', 'invalid media parameter'],
    ['a/b; x=y z=w', 'invalid media parameter'],
    ['a/b; x=y; x=z', 'duplicate parameter name'],
    ['a/b; x=y; X=z', 'duplicate parameter name'],
  ])('%j is none: %s', (value, error) => {
    expect(parseMediaType(value)).toEqual({ error: `mime: ${error}` });
  });
});

describe('a parameter of Python', () => {
  it.each([
    ['multipart/mixed; boundary=a b', 'a b'],
    ['multipart/mixed; BOUNDARY = "a;b" ; x=y', 'a;b'],
    ['multipart/mixed; boundary="a\\"b\\\\c"', 'a"b\\c'],
    ['multipart/mixed; boundary=<a>', 'a'],
    ['multipart/mixed; boundary=<a', '<a'],
    ['multipart/mixed; boundary="a', '"a'],
    ['multipart/mixed; boundary="', '"'],
    ['multipart/mixed; boundary=<', '<'],
    ['multipart/mixed; boundary=a=b', 'a=b'],
    ['multipart/mixed; x="\\"; boundary=b"', undefined],
    ['multipart/mixed; boundary', ''],
    ['multipart/mixed; x=y; boundary=b; boundary=c', 'b'],
    ['boundary=a', undefined],
    ['multipart/mixed; xboundary=a', undefined],
  ])('of %j is %j', (value, boundary) => {
    expect(looseParameter(value, 'boundary')).toBe(boundary);
  });

  it.each([
    [undefined, 'text/plain'],
    ['', 'text/plain'],
    [' Text/HTML ; x=y', 'text/html'],
    ['text', 'text/plain'],
    ['a/b/c', 'text/plain'],
  ])('%j has the type %s', (value, type) => {
    expect(looseMediaType(value)).toBe(type);
  });
});

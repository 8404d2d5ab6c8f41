import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerptOf } from '../../../lib/webhooks/sending/send.ts';

test.each([
  ['', null],
  ['fine\n\tindented', 'fine\n\tindented'],
  ['two\r\nlines', 'two\nlines'],
  ['a\u0000b\u001bc\u007fd\u0085e\rf', 'a?b?c?d?e?f'],
  ['Zoë 🚀', 'Zoë 🚀'],
  ['x'.repeat(5000), 'x'.repeat(1024)],
  [`${'x'.repeat(1023)}ë`, 'x'.repeat(1023)],
  [`${'x'.repeat(1022)}🚀`, 'x'.repeat(1022)],
  [`${'x'.repeat(1022)}ë`, `${'x'.repeat(1022)}ë`],
])('of %j is %j', (text, excerpt) => {
  expect(excerptOf(Buffer.from(text))).toBe(excerpt);
});

test.each([
  [[0x61, 0xff, 0x62], 'a?b'],
  [[0x61, 0xc3], 'a?'],
  [[0xed, 0xa0, 0x80], '???'],
])('bytes %j, which are no text, become %j', (bytes, excerpt) => {
  expect(excerptOf(Uint8Array.from(bytes))).toBe(excerpt);
});

test.each([
  ['text/html; charset=iso-8859-1', [0x47, 0x72, 0xf6, 0xdf, 0x65], 'Größe'],
  ['text/plain;Charset = "windows-1251" ; a=b', [0xcf, 0xf0, 0xe8], 'При'],
  ["text/html;charset='Shift_JIS'", [0x93, 0xfa, 0x96, 0x7b], '日本'],
  ['text/plain; charset=utf-16le', [0x61, 0, 0xe4, 0], 'aä'],
  ['application/json; charset=utf-8', [0xc3, 0xa4], 'ä'],
  ['text/html; charset=nonsense', [0xc3, 0xa4, 0xff], 'ä?'],
  ['text/html', [0xc3, 0xa4], 'ä'],
])('the body of a %s is read as such', (type, bytes, excerpt) => {
  expect(excerptOf(Uint8Array.from(bytes), type)).toBe(excerpt);
});

test('whatever the bytes, it is text of at most 1024 bytes that every JSON carries', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 3000 }),
      fc.constantFrom('utf-8', 'latin1', 'utf-16', 'gb18030', 'x'),
      (bytes, charset) => {
        const excerpt = excerptOf(bytes, `text/plain; charset=${charset}`) ?? '';
        expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(1024);
        expect(excerpt).toMatch(/^(?:[^\p{Cc}\p{Cs}\uFFFD]|[\n\t])*$/u);
        expect(Buffer.from(JSON.stringify(excerpt)).toString()).toBe(JSON.stringify(excerpt));
      },
    ),
  );
});

import { describe, expect, test } from 'vitest';
import { keyName } from '../../../lib/contract/console/consoleKeys.ts';
import { emailForm, phoneForm } from '../../../lib/schemas/texts.ts';

describe('the phone number +49 30 1, as it is compared', () => {
  test.each([
    '+49 (30) 1',
    '0049/30-1',
    '\u202a+49\u00ad30\u200b1\u202c',
    '＋４９ ３０ １',
    '+٤٩ ٣٠ ١',
    '۰۰۴۹ ۳۰ ۱',
    '+४९ ३० १',
    '+𝟺𝟿 𝟹𝟶 𝟷',
  ])('%s', (sent) => {
    expect(phoneForm(sent)).toBe('+49301');
  });
});

test('every digit of Unicode is read as what it is', () => {
  const all = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Nd}/u.test(character));
  expect(all.length % 10).toBe(0);
  const inOrder = Array.from({ length: all.length / 10 }, () => '0123456789').join('');
  expect(all.map(phoneForm).join('')).toBe(inOrder);
});

test.each(['ada\u200b@example.com', '\ufeffADA@exam\u00adple.com\u200e', 'a\u200dda@example.com\u202c'])(
  'the address %j is compared by what can be seen of it',
  (sent) => {
    expect(emailForm(sent)).toBe('ada@example.com');
  },
);

describe('the name of a key shows something', () => {
  test.each(['\u202e', '\u200b\u200d', '\u3164', '\u2800 \u2800', '\ufe0f', '\u{e0041}', '\u0301', ' '])(
    '%j is refused',
    (name) => {
      expect(keyName().safeParse(name).success).toBe(false);
    },
  );

  test.each(['CRM', '\u200bCRM', '李', 'ന\u0d4d\u200d', '❤\ufe0f', '1', '.'])('%j is one', (name) => {
    expect(keyName().safeParse(name).success).toBe(true);
  });
});

// E-mail addresses (RFC 5321 § 4.1.2), and the ways in which people and programs write them.
import { invisible, narrow } from './characters.ts';

const inAtom = String.raw`[^\s@"(),.:;<>[\]\\\p{Cc}\uFFFD]`;
/** Dots may stand anywhere: mobile networks in Japan gave such addresses to people. */
const dotted = String.raw`\.*${inAtom}(?:${inAtom}|\.)*`;
const quoted = String.raw`"(?:[^\s"\\\p{Cc}\uFFFD]| |\\[ -~])*"`;

const label = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?`;
const domain = String.raw`(?:${label}\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]`;
const octet = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const literal = String.raw`\[(?:${octet}(?:\.${octet}){3}|[Ii][Pp][Vv]6:[\dA-Fa-f:.]{2,45})\]`;

/**
 * A string and no regex literal: V8 expands the letter classes of a literal when it loads the file, which would slow every cold
 * start. The part before @ may be longer than the 64 characters of RFC 5321: senders of newsletters have longer ones.
 */
export const addressForm = `^(?=[^${invisible}]*$)(?:${dotted}|${quoted})@(?:${domain}|${literal})$`;

const inQuotes = /^"((?:[^"\\]|\\.)*)"(?=@)/;
const needsNone = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** A part before @ with as few quotes as it needs: what is in them is the same address. */
const withFewQuotes = (_: string, content: string): string => {
  const plain = content.replace(/\\(.)/g, '$1');
  return needsNone.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`;
};

/** No address begins or ends with a quote or a bracket, but for the address of a host. */
const around =
  /^(?:['"`\xab\xbb\u2018-\u201f](.*)['"`\xab\xbb\u2018-\u201f]|<([^<>]*)>|\(([^()]*)\)|\[([^[\]]*)\])$/;

/** The address of a link, in which + may be %2B. What is not ASCII becomes a space, so the address is refused. */
const decoded = (_: string, sent: string): string =>
  sent.replace(/%([\da-f]{2})/gi, (__, hex) => {
    const code = Number.parseInt(hex, 16);
    return code < 128 ? String.fromCharCode(code) : ' ';
  });

/** A word before an address says what it is, as in signatures and directories. Other words may say that it is none. */
const wordBefore =
  /^(?:(?:e-?)?mail|smtp|\u043f\u043e\u0447\u0442\u0430|\u30e1\u30fc\u30eb|\u90ae\u7bb1|\u90f5\u7bb1|\uc774\uba54\uc77c): */i;

/** A link with a second address. */
const hasAnother = /^[^@]*@.*[?&;](?:[a-z-]*to|b?cc)=/i;

/** What a link says beside the address. */
const behindAddress = /^([^@?]+@[^@?]+)\?.*$/;

/** Programs that copy a link write its text beside it, which may be the address again. */
function once(text: string): string {
  const [first, second, ...more] = text.split(/[\s<>()[\]|'",;]+/).filter(Boolean);
  const same = second?.replace(/^mailto:/i, '');
  const isTwice = first?.replace(/^mailto:/i, '').toLowerCase() === same?.toLowerCase();
  return isTwice && same !== undefined && more.length === 0 ? same : text;
}

const inner = (address: string): string =>
  address
    .replace(around, '$1$2$3$4')
    .replace(/([^@.,;])[.,;:!?)>]$/, '$1')
    .replace(/^mailto:(?:\/\/)?<?([^?]*?)>?(?:\?.*)?$/i, decoded)
    .replace(wordBefore, '')
    .trim();

/** What may be around an address at most. */
const roundsMax = 4;

/**
 * As programs and Japanese keyboards write it: as a link, in angle brackets or quotes, in letters of full width, or with the separator or the
 * full stop that followed it.
 */
export function plainAddress(address: string): string {
  const read = narrow(address).replace(/[\u3002\uff61]/g, '.');
  if (hasAnother.test(read)) return read;
  let [before, plain] = ['', /[<(,;]/.test(read) ? once(read) : read];
  for (let round = 0; round < roundsMax && plain !== before; round += 1)
    [before, plain] = [plain, inner(plain)];
  return plain.replace(behindAddress, '$1').replace(inQuotes, withFewQuotes);
}

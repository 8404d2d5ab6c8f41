import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { indexPace } from '../../../infra/ops/lines/import.ts';
import { type Line, readLines } from '../../../infra/ops/lines/lines.ts';

async function linesOf(...chunks: (string | Buffer)[]): Promise<Line[]> {
  async function* input() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: Line[] = [];
  for await (const line of readLines(input())) lines.push(line);
  return lines;
}
const texts = async (...chunks: (string | Buffer)[]) => (await linesOf(...chunks)).map(({ text }) => text);

describe('a line', () => {
  test.each(['\u2028', '\u2029', '\u0085', '\v', '\f'])('does not end with %j', async (odd) => {
    expect(await texts(`a${odd}b\nc`)).toEqual([`a${odd}b`, 'c']);
  });

  test('may come in pieces, cut anywhere', async () => {
    const text = '{"a": "漢字"}\r\n\n😀\nb';
    const bytes = Buffer.from(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
        expect(await texts(...chunks)).toEqual(['{"a": "漢字"}', '', '😀', 'b']);
      }),
    );
  });
});

describe('a line that cannot be read is named, and those after it go on', () => {
  test.each([
    ['Latin-1', Buffer.from('Andr\xe9', 'latin1')],
    ['half a character', Buffer.from('漢').subarray(0, 2)],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ])('%s', async (_, bytes) => {
    const lines = await linesOf('a\n', bytes, '\nb');
    expect(lines).toMatchObject([{ text: 'a' }, { number: 2, problem: 'must be UTF-8' }, { text: 'b' }]);
  });
});

test('an import waits for the index, which serves other accounts too, and not for ever', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked: number[] = [];
  const follow = indexPace(async ({ version }) => {
    asked.push(version);
    if (asked.length === 3) vi.advanceTimersByTime(60_000);
    return version > 1;
  });
  for (let version = 1; version <= 12; version++) await follow({ id: 'con_1', version });
  expect(asked).toEqual([1, 1, 1, 2, 3]);
});

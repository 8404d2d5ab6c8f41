import { afterEach, expect, test, vi } from 'vitest';
import { Progress } from '../../../infra/terminal/progressBar.ts';

const { isTTY } = process.stderr;
afterEach(() => {
  vi.restoreAllMocks();
  process.stderr.isTTY = isTTY;
});

/** The output to a terminal, or to something else. */
function watch(terminal: boolean): string[] {
  const written: string[] = [];
  process.stderr.isTTY = terminal;
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  vi.spyOn(console, 'error').mockImplementation((text) => void written.push(text));
  return written;
}

test('a message has its own row: the bar is removed before it and drawn again after it', () => {
  const written = watch(true);
  const progress = new Progress('lines', 100, () => ' · 2 differ');
  progress.advance(1, 30);
  progress.say('line 1: nonsense');
  progress.end();
  const at = written.indexOf('line 1: nonsense');
  const clearRow = '\x1b[2K';
  expect(written[at - 1]).toBe(clearRow);
  const after = written.slice(at + 1);
  expect(after.join('')).toMatch(/30 % · 1 lines · \d+ lines\/s · \d+ s left · 2 differ/);
  expect(after.at(-1)).toBe(clearRow);
});

test('there is no bar without a terminal or without a total', () => {
  const written = watch(false);
  new Progress('lines', 100).say('a');
  process.stderr.isTTY = true;
  new Progress('lines').say('b');
  expect(written).toEqual(['a', 'b']);
});

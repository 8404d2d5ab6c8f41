import { expect, test } from 'vitest';
import { progressReporter } from '../../../infra/local/process/progress.ts';

/** The output for two steps and another line after them. */
function written(isTTY: boolean): string {
  const texts: string[] = [];
  const write = (text: string) => texts.push(text) > 0;
  const { report: say, end } = progressReporter({ isTTY, write } as Parameters<typeof progressReporter>[0]);
  say('Starting');
  say('Making');
  end();
  end();
  return `${texts.join('')}READY`;
}

test('on a terminal, each step replaces the last one, and nothing is left at the end', () => {
  expect(written(true)).toBe('Starting …\r\x1b[2KMaking …\r\x1b[2KREADY');
});

test('elsewhere each step has a line', () => {
  expect(written(false)).toBe('Starting …\nMaking …\nREADY');
});

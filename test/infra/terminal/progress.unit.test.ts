import { expect, test } from 'vitest';
import { progressReporter } from '../../../infra/terminal/progress.ts';

/** The output for two steps at the same time, of which the second ends first, for a third that fails, and for a line after them. */
async function written(isTTY: boolean): Promise<string> {
  const texts: string[] = [];
  const write = (text: string) => texts.push(text) > 0;
  const { report, end } = progressReporter({ isTTY, write } as Parameters<typeof progressReporter>[0]);
  const slow = Promise.withResolvers<string>();
  const starting = report('Starting', () => slow.promise);
  expect(await report('Making', async () => 'made')).toBe('made');
  slow.resolve('started');
  expect(await starting).toBe('started');
  await expect(report('Failing', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  end();
  end();
  return `${texts.join('')}READY`.replaceAll(/\d+\.\d s/g, 'N s');
}

test('on a terminal, the steps that run are shown until they end, and each leaves its line', async () => {
  const clear = '\r\x1b[2K';
  expect(await written(true)).toBe(
    ['Starting …', 'Starting, Making …', 'Making … N s\nStarting …', 'Starting … N s\n', 'Failing …', 'READY']
      .join(clear)
      .replace(/^/, clear),
  );
});

test('elsewhere each step has its line when it ends', async () => {
  expect(await written(false)).toBe('Making … N s\nStarting … N s\nREADY');
});

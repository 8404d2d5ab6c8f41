import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, inject, vi } from 'vitest';
import { testLogFile } from './testLog.ts';

function keep(text: string): void {
  const folder = inject('dataFolder');
  if (folder) appendFileSync(join(folder, testLogFile), text);
}

/**
 * Captures standard output, where logs go, instead of printing it. @returns the text so far, and a function that ends
 * the capture
 */
export function divertLog(): { text: () => string; end: () => void } {
  let text = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  return {
    text: () => text,
    end: () => {
      spy.mockRestore();
      keep(text);
    },
  };
}

/** Runs work and captures its standard output. */
export async function withLog<T>(
  run: () => Promise<T>,
): Promise<{ result: T; text: string; lines: Record<string, unknown>[] }> {
  const diverted = divertLog();
  try {
    const result = await run();
    const lines = diverted.text().trim().split('\n').filter(Boolean);
    return { result, text: diverted.text(), lines: lines.map((line) => JSON.parse(line)) };
  } finally {
    diverted.end();
  }
}

/** Keeps the log of the handlers that the tests of a file call, instead of printing it. @returns its text so far */
export function useDivertedLog(): { text(): string } {
  let log: ReturnType<typeof divertLog>;
  beforeAll(() => {
    log = divertLog();
  });
  afterAll(() => log.end());
  return { text: () => log.text() };
}

import { vi } from 'vitest';

/** Runs something and keeps what it writes to standard output, where logs go. */
export async function withLog<T>(
  run: () => Promise<T>,
): Promise<{ result: T; text: string; lines: Record<string, unknown>[] }> {
  let text = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    const result = await run();
    return {
      result,
      text,
      lines: text
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    };
  } finally {
    spy.mockRestore();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IndexPace } from '../../../infra/ops/lines/indexPace.ts';

vi.mock(import('node:timers/promises'), () => ({
  setTimeout: ((ms: number) => new Promise((resolve) => setTimeout(resolve, ms))) as never,
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const writeMs = 100;

/** Writes batches to an index that takes so long for each. @returns how long each waited for the index, and the time of all */
async function written(indexMs: number, batches = 200) {
  const end = Date.now();
  const indexedAt: number[] = [];
  const lags: number[] = [];
  const say = vi.fn();
  const pace = new IndexPace(async ({ version }) => (indexedAt[version] as number) <= Date.now(), 2000, say);
  const writing = (async () => {
    for (let version = 0; version < batches; version++) {
      await sleep(writeMs);
      const at = Math.max(Date.now(), indexedAt.at(-1) ?? 0) + indexMs;
      indexedAt.push(at);
      lags.push(at - Date.now());
      await pace.follow(async () => ({ id: 'one', version }));
    }
  })();
  await vi.runAllTimersAsync();
  await writing;
  return { lags, ms: Date.now() - end, say };
}

test.each([250, 500, 1000])(
  'an index that takes %d ms for a batch is never idle, and never far behind',
  async (indexMs) => {
    const { lags, ms } = await written(indexMs);
    expect(Math.max(...lags.slice(10))).toBeLessThan(2000 + 2 * indexMs);
    expect(ms).toBeLessThan(1.1 * 200 * indexMs);
  },
);

test('a command does not wait for an index that is faster than it', async () => {
  expect((await written(50)).ms).toBe(200 * writeMs);
});

test('one batch at a time goes to an index that takes longer than two seconds', async () => {
  const { lags } = await written(3000, 20);
  expect(Math.max(...lags.slice(6))).toBe(3000);
});

test('a person learns what the command waits for, once', async () => {
  const { say } = await written(15_000, 8);
  expect(say.mock.calls).toEqual([['Filters are more than ten seconds behind, so this waits for them.']]);
});

test.each(['refused', undefined] as const)(
  'a record that is %s is not waited for, or not for ever',
  async (found) => {
    const pace = new IndexPace(
      async () => false,
      2000,
      () => {},
    );
    const following = Promise.all([1, 2, 3, 4, 5].map(() => pace.follow(async () => found)));
    await vi.advanceTimersByTimeAsync(found === 'refused' ? 0 : 130_000);
    await following;
  },
);

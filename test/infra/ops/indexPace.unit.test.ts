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
  const pace = new IndexPace(async ({ version }) => (indexedAt[version] as number) <= Date.now(), say);
  const writing = (async () => {
    for (let version = 0; version < batches; version++) {
      await sleep(writeMs);
      const at = Math.max(Date.now(), indexedAt.at(-1) ?? 0) + indexMs;
      indexedAt.push(at);
      lags.push(at - Date.now());
      await pace.follow({ id: 'one', version });
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

test('a record that the index never gets is waited for once, and not for ever', async () => {
  const pace = new IndexPace(
    async () => false,
    () => {},
  );
  const following = Promise.all([1, 2, 3, 4, 5].map((version) => pace.follow({ id: 'one', version })));
  await vi.advanceTimersByTimeAsync(130_000);
  await following;
});

import { expect, test } from 'vitest';
import { ReadPauses } from '../../../../infra/local/stream/readPauses.ts';

const given = ({ windowMs = 0, batchMs = 0 } = {}): ReadPauses => {
  const pauses = new ReadPauses({ windowMs });
  pauses.noteBatch(batchMs);
  return pauses;
};

test('a stream without changes is read ever more rarely, until changes come', () => {
  const pauses = given();
  const idle = Array.from({ length: 8 }, () => pauses.after('nothing'));
  expect(idle.slice(0, 3)).toEqual([15, 22.5, 33.75]);
  expect(idle.at(-1)).toBe(100);
  pauses.after('all');
  expect(pauses.after('nothing')).toBe(15);
});

test.each([
  { batchMs: 0, pauseMs: 10 },
  { batchMs: 20, pauseMs: 40 },
  { batchMs: 5000, pauseMs: 100 },
])('after a batch of $batchMs ms, the next changes gather for $pauseMs ms', ({ batchMs, pauseMs }) => {
  expect(given({ batchMs }).after('all')).toBe(pauseMs);
});

test('nothing is gathered when more changes wait already, or when the mapping has a batching window', () => {
  expect(given({ batchMs: 20 }).after('part')).toBe(0);
  expect(given({ batchMs: 20, windowMs: 1000 }).after('all')).toBe(0);
});

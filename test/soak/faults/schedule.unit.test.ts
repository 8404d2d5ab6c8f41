import { expect, test } from 'vitest';
import { faultKinds, scheduleOf } from './schedule.ts';

const hour = { from: 1_000_000, ms: 3_600_000, kills: 3 };

test('the same seed gives the same faults, and another one gives others', () => {
  expect(scheduleOf(1, hour)).toEqual(scheduleOf(1, hour));
  expect(scheduleOf(1, hour)).not.toEqual(scheduleOf(2, hour));
});

test.each([hour, { from: 0, ms: 8000, kills: 1 }])(
  'every kind of fault has its times, one after the other, and all are within the load: %o',
  (load) => {
    const { windows, kills } = scheduleOf(3, load);
    expect(new Set(windows.map(({ kind }) => kind))).toEqual(new Set(faultKinds));
    for (const [i, { from, to }] of windows.entries()) {
      expect(from).toBeGreaterThanOrEqual(windows[i - 1]?.to ?? load.from);
      expect(to).toBeLessThan(load.from + load.ms);
    }
    expect(kills).toHaveLength(load.kills);
    for (const kill of kills) expect(kill).toBeLessThan(load.from + load.ms);
  },
);

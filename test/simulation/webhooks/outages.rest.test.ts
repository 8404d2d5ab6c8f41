import { expect, test } from 'vitest';
import { runOutage } from '../simulated.ts';

// The real pipeline in virtual time, with a receiver that fails for a second, for days, or for most of each hour.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const delivered = { lost: 0, duplicates: 0, status: 'active' };

test('a receiver that is down for three days gets at most 60 attempts, and everything in ten minutes, oldest first, when it is back', async () => {
  const outage = { events: 5000, eventsMs: 3 * day, from: 0, to: 3 * day, seed: 1 };
  const { failed, drainMs, disorder, ...others } = await runOutage(outage);
  expect(others).toMatchObject(delivered);
  expect(failed).toBeLessThanOrEqual(60);
  expect(drainMs).toBeLessThan(10 * minute);
  // A window is sent at once.
  expect(disorder).toBeLessThan(400);
});

test('a healthy receiver that fails for a second is not held up', async () => {
  const outage = { events: 600, eventsMs: 30 * second, from: 10 * second, to: 11 * second, seed: 1 };
  const { longestGapMs, ...others } = await runOutage(outage);
  expect(others).toMatchObject(delivered);
  expect(longestGapMs).toBeLessThanOrEqual(2 * second);
});

test('a receiver that works for five minutes of each hour gets events all the time, and in ten days nothing is lost', async () => {
  const up = { ms: 5 * minute, every: hour };
  const outage = { events: 500, eventsMs: 10 * day, from: 0, to: 10 * day, up, seed: 1 };
  const { longestGapMs, failed, ...others } = await runOutage(outage);
  expect(others).toMatchObject(delivered);
  expect(longestGapMs).toBeLessThan(5 * day);
  expect(failed).toBeLessThan(1000);
});

test('a receiver that bears fifty in a second gets what has waited at about that pace', async () => {
  const outage = { events: 1000, eventsMs: 5 * minute, from: 0, to: 5 * minute, perSecond: 50, seed: 1 };
  const { refused, drainMs, ...others } = await runOutage(outage);
  expect(others).toMatchObject(delivered);
  expect(refused).toBeLessThan(1000);
  expect(drainMs).toBeLessThan(10 * minute);
});

test('a subscription has its limit of attempts while events come, and when what has waited is sent', async () => {
  const limited = { events: 300, eventsMs: 3 * minute, from: minute, to: 2 * minute, limit: 4, seed: 1 };
  const { busiest, ...others } = await runOutage(limited);
  expect(others).toMatchObject(delivered);
  expect(busiest).toBeLessThanOrEqual(4 * (5 + 1) + 1);
  expect(busiest).toBeGreaterThan(15);
});

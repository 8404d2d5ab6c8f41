import { sleep } from './virtualTime.ts';

// node:timers/promises in virtual time.

export const setTimeout = async <T>(ms: number, value?: T): Promise<T | undefined> => {
  await sleep(ms);
  return value;
};

export const setImmediate = (): Promise<void> => sleep(0);

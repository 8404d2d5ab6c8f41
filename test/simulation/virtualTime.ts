// A clock that jumps to the next event: an hour of waiting takes no time, and CPU time costs nothing.

interface Event {
  at: number;
  order: number;
  run(): void;
}

/** Events by time; of the same time, in the order in which they were planned. */
class EventQueue {
  private readonly heap: Event[] = [];
  private planned = 0;

  push(at: number, run: () => void): void {
    const { heap } = this;
    heap.push({ at, order: this.planned++, run });
    for (let i = heap.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (isBefore(heap[parent] as Event, heap[i] as Event)) return;
      [heap[i], heap[parent]] = [heap[parent] as Event, heap[i] as Event];
      i = parent;
    }
  }

  pop(): Event | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    heap[0] = last;
    for (let i = 0; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = i;
      for (const child of [left, right])
        if (child < heap.length && isBefore(heap[child] as Event, heap[least] as Event)) least = child;
      if (least === i) return first;
      [heap[i], heap[least]] = [heap[least] as Event, heap[i] as Event];
      i = least;
    }
  }
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

const events = new EventQueue();
export const beginning = Date.UTC(2026, 0, 1);
let now = beginning;
const realImmediate = setImmediate;

/** Waits in virtual time. */
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => events.push(now + Math.max(0, ms), resolve));

/** Milliseconds of virtual time since the simulation began. */
export const elapsedMs = (): number => now - beginning;

/** Replaces the clocks of this process, and its global timers. The code under simulation must take all others from here. */
export function useVirtualTime(): void {
  useClock(() => now);
  const cleared = new WeakSet<object>();
  const setTimer = (run: () => void, ms = 0): object => {
    const timer = {};
    void sleep(ms).then(() => cleared.has(timer) || run());
    return timer;
  };
  globalThis.setTimeout = setTimer as never;
  globalThis.clearTimeout = ((timer?: object) => void (timer && cleared.add(timer))) as never;
}

/** Lets a simulation decide on the time. @param current epoch milliseconds */
export function useClock(current: () => number): void {
  Date.now = () => Math.floor(current());
  performance.now = () => current() - beginning;
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args: [] | [number | string]) {
      super(...((args.length === 0 ? [Math.floor(current())] : args) as [number]));
    }
  } as DateConstructor;
}

/** Runs events until the work is done. @returns its result @throws Error when it waits for something that never comes */
export async function runUntil<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const finished = work.finally(() => {
    isDone = true;
  });
  finished.catch(() => {});
  for (let idle = 0; !isDone; ) {
    await new Promise((resolve) => realImmediate(resolve));
    if (isDone) break;
    const event = events.pop();
    if (event === undefined) {
      idle += 1;
      if (idle > 1000) throw new Error('Nothing happens any more, and the work is not done');
      continue;
    }
    idle = 0;
    now = Math.max(now, event.at);
    event.run();
  }
  return finished;
}

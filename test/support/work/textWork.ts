// Counts work instead of time: the characters that are passed to text functions of the runtime, and the bytes that are allocated. The
// count of a run is the same on every machine.
import { GCProfiler, type GCProfilerResult, getHeapStatistics } from 'node:v8';

/** The work of a run. */
export interface Work {
  /** Characters handed over. A row of combining marks costs a normalization the square of its length, in the worst case. */
  cost: number;
  /** Bytes of memory that were taken, also of what was freed since: who copies an object again and again takes its size each time. */
  allocated: number;
}

const squaresOfRows = (text: string): number => {
  let sum = 0;
  for (const [row] of text.matchAll(/\p{M}+/gu)) sum += row.length ** 2;
  return sum;
};

/** Runs work and counts it. Other work in this process at the same time is counted, too. */
export function workOf(run: () => unknown): Work {
  const work: Work = { cost: 0, allocated: 0 };
  const undo: (() => void)[] = [];
  const count = (owner: object, name: string, isMethod: boolean) => {
    const original = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    Reflect.set(owner, name, function counted(this: unknown, ...args: unknown[]) {
      const text = String(isMethod ? this : args[0]);
      work.cost += text.length;
      if (name === 'normalize') work.cost += squaresOfRows(text);
      return original.apply(this, args);
    });
    undo.push(() => Reflect.set(owner, name, original));
  };
  for (const name of ['normalize', 'trim', 'replaceAll', 'split', 'toLowerCase', 'isWellFormed', 'includes'])
    count(String.prototype, name, true);
  count(JSON, 'parse', false);
  count(URL, 'parse', false);
  count(URL, 'canParse', false);
  count(Date, 'parse', false);
  count(Intl, 'getCanonicalLocales', false);
  undo.push(countSearches(work));
  try {
    work.allocated = allocatedBy(run);
  } finally {
    for (const one of undo) one();
  }
  return work;
}

function allocatedBy(run: () => unknown): number {
  const profiler = new GCProfiler();
  profiler.start();
  let used = getHeapStatistics().used_heap_size;
  run();
  const end = getHeapStatistics().used_heap_size;
  const { statistics } = profiler.stop() as GCProfilerResult;
  let allocated = 0;
  for (const { beforeGC, afterGC } of statistics) {
    allocated += beforeGC.heapStatistics.usedHeapSize - used;
    used = afterGC.heapStatistics.usedHeapSize;
  }
  return allocated + end - used;
}

/** A search costs the characters that it scans. test/linear.test.ts checks that no search scans them many times. */
function countSearches(work: Work): () => void {
  const original = RegExp.prototype.exec;
  RegExp.prototype.exec = function counted(this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = original.call(this, text);
    const to = found && (this.global || this.sticky) ? this.lastIndex : String(text).length;
    work.cost += Math.max(1, to - from);
    return found;
  };
  return () => {
    RegExp.prototype.exec = original;
  };
}

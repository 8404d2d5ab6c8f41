// Counts work and not time: the characters that are handed to whatever the runtime does with text. The same run counts the
// same on every machine.

/** What a run has cost. */
export interface Work {
  /** Characters handed over; of a normalization their square, which is what it takes in the worst case. */
  cost: number;
  /** The longest text that was normalized. */
  normalized: number;
}

type Counted = (text: string, ...more: never[]) => number;

const lengthOf: Counted = (text) => text.length;

/** Runs something and counts. Whatever else runs at the same time in this process is counted too. */
export function workOf(run: () => unknown): Work {
  const work: Work = { cost: 0, normalized: 0 };
  const undo: (() => void)[] = [];
  const count = (owner: object, name: string, isMethod: boolean, charge: Counted) => {
    const original = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    Reflect.set(owner, name, function counted(this: unknown, ...args: unknown[]) {
      const text = String(isMethod ? this : args[0]);
      work.cost += charge(text, ...(args as never[]));
      return original.apply(this, args);
    });
    undo.push(() => Reflect.set(owner, name, original));
  };
  count(String.prototype, 'normalize', true, (text) => {
    work.normalized = Math.max(work.normalized, text.length);
    return text.length ** 2;
  });
  for (const name of ['trim', 'replaceAll', 'split', 'toLowerCase', 'isWellFormed', 'includes'])
    count(String.prototype, name, true, lengthOf);
  count(JSON, 'parse', false, lengthOf);
  count(URL, 'parse', false, lengthOf);
  count(URL, 'canParse', false, lengthOf);
  count(Date, 'parse', false, lengthOf);
  count(Intl, 'getCanonicalLocales', false, lengthOf);
  undo.push(countSearches(work));
  try {
    run();
  } finally {
    for (const one of undo) one();
  }
  return work;
}

/** A search costs what it went over; that it goes over nothing many times, test/linear.test.ts holds. */
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

// Counts the steps of a backtracking engine, such as V8's, for a regular expression. Unlike time, the count is
// deterministic.

interface Node {
  /** @returns whether the expression matches from `at` on, and all that follows it */
  match(run: Run, at: number, next: (at: number) => boolean): boolean;
  /** A text that matches; `turn` chooses between alternatives. */
  sample(turn: number): string;
}

interface Run {
  text: string[];
  steps: number;
}

/** The search ends after this many steps. */
const stepsMax = 20_000;

function step(run: Run): void {
  run.steps += 1;
  if (run.steps > stepsMax) throw new TooManySteps();
}

class TooManySteps extends Error {}

/** Characters that distinguish the classes of expressions. */
const characters = [
  ...'aAfzZ0159_-+.,:;/\\@"\'()[]{}<>=*?!#$%&^|~ \t\n\r\u0000\u00e9\u0301\u200b\u202e\u2800\u4e2d\ufffd\ud800😀',
];

/** Parses the syntax of this project's expressions. Any other syntax is an error. */
class Parser {
  readonly atoms: Atom[] = [];
  private at = 0;
  private readonly source: string;
  private readonly flags: string;

  constructor({ source, flags }: RegExp) {
    this.source = source;
    this.flags = flags.replace(/[^iu]/g, '');
  }

  alternatives(): Node {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    return {
      match: (run, at, next) =>
        options.some((option) => {
          step(run);
          return option.match(run, at, next);
        }),
      sample: (turn) => (options[turn % options.length] as Node).sample(turn),
    };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && !/[|)]/.test(this.source[this.at] as string))
      parts.push(this.quantified());
    const match = parts.reduceRight<Node['match']>(
      (rest, part) => (run, at, next) => part.match(run, at, (to) => rest(run, to, next)),
      (_, at, next) => next(at),
    );
    return { match, sample: (turn) => parts.map((part) => part.sample(turn)).join('') };
  }

  private quantified(): Node {
    const part = this.part();
    const [all, sign, min = '0', comma, max] =
      /^(?:([*+?])|\{(\d+)(,?)(\d*)\})/.exec(this.source.slice(this.at)) ?? [];
    if (all === undefined) return part;
    this.at += all.length;
    if (this.take('?')) throw new Error(`a lazy quantifier in ${this.source}`);
    const least = sign === undefined ? Number(min) : sign === '+' ? 1 : 0;
    const unlimited = sign === '*' || sign === '+' || (comma === ',' && max === '');
    const most = unlimited ? Number.POSITIVE_INFINITY : sign === '?' ? 1 : Number(max || min);
    return repeated(part, least, most);
  }

  private part(): Node {
    if (this.take('^')) return assertion((_, at) => at === 0);
    if (this.take('$')) return assertion(({ text }, at) => at === text.length);
    const [opening] = /^\((?:\?[:=!])?/.exec(this.source.slice(this.at)) ?? [];
    if (opening === undefined) return this.atom();
    this.at += opening.length;
    const inner = this.alternatives();
    if (!this.take(')')) throw new Error(`cannot read ${this.source} at ${this.at}`);
    if (opening === '(' || opening === '(?:') return inner;
    return assertion((run, at) => inner.match(run, at, () => true) === (opening === '(?='));
  }

  private atom(): Node {
    const form =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\p\{\w+\}|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]+\}|\\x[0-9a-fA-F]{2}|\\[^\dkbBP]|[^\\()[\]{}|*+?])|^\\d/;
    const [text] = form.exec(this.source.slice(this.at)) ?? [];
    if (text === undefined) throw new Error(`cannot read ${this.source} at ${this.at}`);
    this.at += text.length;
    const atom = new Atom(new RegExp(`^(?:${text})$`, this.flags));
    this.atoms.push(atom);
    return atom;
  }

  private take(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }
}

/** A node that matches one character. */
class Atom implements Node {
  private readonly known = new Map<string, boolean>();
  private readonly expression: RegExp;

  constructor(expression: RegExp) {
    this.expression = expression;
  }

  takes(character: string): boolean {
    const known = this.known.get(character) ?? this.expression.test(character);
    this.known.set(character, known);
    return known;
  }

  match(run: Run, at: number, next: (at: number) => boolean): boolean {
    step(run);
    const character = run.text[at];
    return character !== undefined && this.takes(character) && next(at + 1);
  }

  sample(turn: number): string {
    const taken = [...characters, ...this.expression.source].filter((character) => this.takes(character));
    return taken[turn % Math.max(1, taken.length)] ?? '';
  }
}

const assertion = (holds: (run: Run, at: number) => boolean): Node => ({
  match: (run, at, next) => {
    step(run);
    return holds(run, at) && next(at);
  },
  sample: () => '',
});

/** Matches as many as possible, and backtracks one by one. */
function repeated(part: Node, min: number, max: number): Node {
  const from =
    (count: number): Node['match'] =>
    (run, at, next) => {
      step(run);
      const again = (to: number) => (to === at && count >= min ? false : from(count + 1)(run, to, next));
      return (count < max && part.match(run, at, again)) || (count >= min && next(at));
    };
  return {
    match: from(0),
    sample: (turn) => part.sample(turn).repeat(Math.max(min, Math.min(max, 1 + (turn % 2)))),
  };
}

/** The number of steps of a search in a text; infinite above `stepsMax`. */
function stepsIn(root: Node, sticky: boolean, text: string[]): number {
  const run: Run = { text, steps: 0 };
  try {
    for (let at = 0; at <= (sticky ? 0 : text.length); at++) if (root.match(run, at, () => true)) break;
  } catch (error) {
    if (error instanceof TooManySteps) return Number.POSITIVE_INFINITY;
    throw error;
  }
  return run.steps;
}

const repeats = 16;

/** How many beginnings of a match are tried at most: in a long match most of them are alike. */
const beginningsMax = 12;

/**
 * Looks for a text for which the time of an expression grows faster than the text: the beginning of a match, then one
 * or two characters repeated, then an end.
 * @returns the kind of text, or undefined
 */
export function slowText(expression: RegExp): string | undefined {
  const parser = new Parser(expression);
  const root = parser.alternatives();
  const { alphabet, ending } = charactersFor(parser.atoms, expression);
  const pairs = alphabet.flatMap((a) => alphabet.map((b) => [a, b]));
  const steps = (beginning: string, pump: string[], end: string, count: number) =>
    stepsIn(root, expression.sticky, [...beginning, ...Array(count).fill(pump).flat(), ...end]);
  for (const beginning of beginningsOf(root))
    for (const pump of [...alphabet.map((one) => [one]), ...pairs])
      for (const end of ['', ending]) {
        const few = steps(beginning, pump, end, repeats);
        if (few <= 4 * repeats) continue;
        const found = JSON.stringify({ beginning, pump: pump.join(''), end });
        if (few > stepsMax) return found;
        const more = steps(beginning, pump, end, 2 * repeats);
        // A text of double length may take double the steps, and a few more for its beginning and end. It may take many
        // more once, when it exceeds a repetition count of the expression.
        if (more > 2.6 * few && steps(beginning, pump, end, 4 * repeats) > 2.6 * more) return found;
      }
  return undefined;
}

/** One character for each set of atoms that match it, and the character that the fewest atoms match. */
function charactersFor(
  atoms: readonly Atom[],
  { source, unicode }: RegExp,
): { alphabet: string[]; ending: string } {
  const classes = new Map<string, { character: string; takers: number }>();
  for (const character of [...characters, ...source]) {
    // Without the flag `u`, the expression sees two characters.
    if (character.length > 1 && !unicode) continue;
    const taken = atoms.map((atom) => atom.takes(character));
    if (!classes.has(taken.join()))
      classes.set(taken.join(), { character, takers: taken.filter(Boolean).length });
  }
  const all = [...classes.values()];
  const ending = all.reduce((least, one) => (one.takers < least.takers ? one : least)).character;
  return { alphabet: all.map(({ character }) => character), ending };
}

function beginningsOf(root: Node): string[] {
  const all = new Set(
    [0, 1, 2].flatMap((turn) => {
      const sample = [...root.sample(turn)];
      return sample.map((_, length) => sample.slice(0, length).join(''));
    }),
  );
  const every = Math.ceil(all.size / beginningsMax);
  return ['', ...[...all].filter((_, i) => i % every === 0)];
}

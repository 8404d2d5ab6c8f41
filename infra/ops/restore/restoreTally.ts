/**
 * The outcome of an item of the restored table. same: the living table has it. kept: the living table has something
 * newer. passed_over: it is not brought back, or only together with another item. stays: it should have come back and
 * did not.
 */
export type Outcome = 'same' | 'brought_back' | 'kept' | 'passed_over' | 'stays';

/** The labels of outcomes in a sentence. */
const labels: Record<Outcome, string> = {
  same: 'the same',
  brought_back: 'brought back',
  kept: 'kept as they are, because they are newer',
  passed_over: 'passed over',
  stays: 'not brought back',
};

const outcomes = Object.keys(labels) as Outcome[];

type Counts = Record<Outcome, number>;

const none = (): Counts => ({ same: 0, brought_back: 0, kept: 0, passed_over: 0, stays: 0 });

/** How many reasons are shown. All are counted. */
const shownMax = 20;

/**
 * Counts the outcomes of items by their kind, and reports why one did not come back. It never shows the content of an
 * item.
 */
export class RestoreTally {
  private readonly kinds = new Map<string, Counts>();
  private readonly say: (text: string) => void;
  private shown = 0;

  constructor(say: (text: string) => void) {
    this.say = say;
  }

  count(kind: string, outcome: Outcome): void {
    const counts = this.kinds.get(kind) ?? none();
    counts[outcome] += 1;
    this.kinds.set(kind, counts);
  }

  /** Reports why an item is not brought back, or only in part. */
  stay(key: string, reason: string): 'stays' {
    this.shown += 1;
    if (this.shown <= shownMax) this.say(`${key}: ${reason}`);
    if (this.shown === shownMax + 1) this.say('There are more such items.');
    return 'stays';
  }

  total(outcome: Outcome): number {
    return [...this.kinds.values()].reduce((sum, counts) => sum + counts[outcome], 0);
  }

  asJson() {
    const totals = Object.fromEntries(outcomes.map((outcome) => [outcome, this.total(outcome)]));
    return { ...totals, kinds: Object.fromEntries([...this.kinds].sort()) };
  }

  /** One line for each kind, with the outcomes that occurred. */
  asText(): string {
    return [...this.kinds]
      .sort()
      .map(([kind, counts]) => {
        const present = outcomes.filter((outcome) => counts[outcome] > 0);
        return `  ${kind}: ${present.map((outcome) => `${counts[outcome]} ${labels[outcome]}`).join(', ')}`;
      })
      .join('\n');
  }
}

// Made from the contract when the page is built: infra/pages/contractFacts.ts.
import examples from 'console:events';

export interface EventExample {
  /** What has happened, in a sentence without its end. */
  what: string;
  full: object;
  thin: object;
}

export const exampleOf = (type: string): EventExample => examples[type] as EventExample;

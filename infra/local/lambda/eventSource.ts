import type { Checkpoints } from '../stream/checkpoints.ts';
import type { Lambda } from './lambda.ts';

/** What event sources read from, and the functions that they invoke. */
export interface EventSourceContext {
  queuesEndpoint: string;
  databaseEndpoint: string;
  /** The data directory. */
  folder: string;
  checkpoints: Checkpoints;
  lambdas: ReadonlyMap<string, Pick<Lambda, 'invoke'>>;
}

/** Invokes the function with what arrives, until the signal aborts. */
export type Poll = (signal: AbortSignal) => Promise<void>;

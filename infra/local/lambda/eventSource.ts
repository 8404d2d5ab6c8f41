import type { Checkpoints } from '../stream/checkpoints.ts';
import type { Lambda } from './lambda.ts';

export interface EventSourceContext {
  queuesEndpoint: string;
  databaseEndpoint: string;
  folder: string;
  checkpoints: Checkpoints;
  lambdas: ReadonlyMap<string, Pick<Lambda, 'invoke'>>;
}

/** Polls an event source and invokes its function, until the signal aborts. */
export type Poll = (signal: AbortSignal) => Promise<void>;

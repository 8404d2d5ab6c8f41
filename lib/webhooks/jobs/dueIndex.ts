import { is } from '../../dynamodb/expressions.ts';
import { queryPages } from '../../dynamodb/query.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { webhooksTable } from '../model/table.ts';

/** An entry of the due index: a delivery, which has an id, or a job, which has runs. */
export interface DueEntry {
  pk: string;
  sk: string;
  due_partition: string;
  enqueue_at: string;
  id?: string;
  /** Of a delivery that is not held: when its next attempt is due. */
  next_attempt_at?: string;
  /** Of a job: how often it has run. */
  runs?: number;
}

/** Sorts after every time. */
const endOfTime = '9';

/**
 * The entries of a partition of the due index, by their times, page by page.
 * @param until RFC 3339 UTC; all entries when it is left out
 */
export const dueEntries = (
  partition: string,
  { pageSize, until = endOfTime }: { pageSize: number; until?: string },
): AsyncGenerator<DueEntry[]> =>
  queryPages({
    ...webhooks.where({ due_partition: partition, enqueue_at: is('<=', until) }),
    IndexName: webhooksTable.due.name,
    Limit: pageSize,
  }) as unknown as AsyncGenerator<DueEntry[]>;

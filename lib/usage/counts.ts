import { type StatusClass, statusClasses } from '../values/usage.ts';

/** The requests of one operation that were answered with one class of status. */
export interface Count {
  operation: string;
  statusClass: StatusClass;
  requests: number;
  /** Of all together. */
  ms: number;
}

/** The class of a status. An answer like 304 is a success. */
export const classOf = (status: number): StatusClass => (status < 400 ? '2xx' : status < 500 ? '4xx' : '5xx');

/** The names of the two attributes of a count. */
export const attributesOf = ({ operation, statusClass }: Pick<Count, 'operation' | 'statusClass'>) => ({
  requests: `n:${operation}:${statusClass}`,
  ms: `ms:${operation}:${statusClass}`,
});

/** The counts in an item of an hour or of a day. */
export const countsIn = (item: Record<string, unknown>): Count[] =>
  Object.entries(item).flatMap(([name, requests]) => {
    const [kind, operation = '', text] = name.split(':');
    const statusClass = statusClasses.find((one) => one === text);
    if (kind !== 'n' || !statusClass) return [];
    const ms = item[attributesOf({ operation, statusClass }).ms] ?? 0;
    return [{ operation, statusClass, requests: Number(requests), ms: Number(ms) }];
  });

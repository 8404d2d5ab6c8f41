import { gzipSync } from 'node:zlib';
import type { AsyncInvocations } from '../lambda/asyncInvocations.ts';
import { StartError } from '../process/startError.ts';
import { assertKnownProperties } from '../template/resourceTypes.ts';
import { awsEnvironment, idInArn, type Resource } from '../template/template.ts';

/** How long lines wait for further lines to be delivered together, in milliseconds. */
const waitMs = 750;

const linesMax = 1000;

interface Subscription {
  id: string;
  functionName: string;
  matches: Filter;
}

/** Lines of a log stream that wait to be delivered to a subscription. */
interface Waiting {
  subscription: Subscription;
  group: string;
  stream: string;
  logEvents: { id: string; timestamp: number; message: string }[];
}

/**
 * Opens the subscription filters of the template. As on AWS, batches are asynchronous invocations that are retried twice. Lines that wait when
 * the process is killed are lost.
 * @param functionNames the functions of the template
 * @throws StartError if a filter has a property, a pattern or a destination that the local stack does not know
 */
export function openLogGroups(
  filters: readonly Resource[],
  functionNames: ReadonlySet<string>,
  { begin }: Pick<AsyncInvocations, 'begin'>,
) {
  const subscriptions = subscriptionsOf(filters, functionNames);
  const waiting = new Map<string, Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let written = 0;

  const handOver = (batch: Waiting): void => begin(batch.subscription.functionName, eventOf(batch));
  const handOverAll = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const batches = [...waiting.values()];
    waiting.clear();
    for (const batch of batches) handOver(batch);
  };

  function write(group: string, stream: string, message: string): void {
    for (const subscription of subscriptions.get(group) ?? []) {
      if (!subscription.matches(message)) continue;
      const name = `${subscription.id} ${stream}`;
      const batch = waiting.get(name) ?? { subscription, group, stream, logEvents: [] };
      waiting.set(name, batch);
      const now = Date.now();
      written += 1;
      batch.logEvents.push({ id: eventId(now, written), timestamp: now, message });
      if (batch.logEvents.length >= linesMax) {
        waiting.delete(name);
        handOver(batch);
      }
      timer ??= setTimeout(handOverAll, waitMs);
    }
  }

  /** Returns whether a group has a subscription. Lines of other groups need not be written. */
  const has = (group: string) => subscriptions.has(group);
  return { has, write, stop: handOverAll };
}

const known = ['DestinationArn', 'FilterPattern', 'LogGroupName'];

function subscriptionsOf(
  filters: readonly Resource[],
  functionNames: ReadonlySet<string>,
): Map<string, Subscription[]> {
  const byGroup = new Map<string, Subscription[]>();
  for (const { id, properties } of filters) {
    assertKnownProperties(id, properties, known);
    const group = properties.LogGroupName as string;
    const functionName = idInArn(properties.DestinationArn as string);
    if (!functionNames.has(functionName))
      throw new StartError(
        `${id} has the destination ${properties.DestinationArn}: the local stack supports only Lambdas of the template.`,
      );
    const matches = readFilterPattern(id, properties.FilterPattern as string);
    const others = byGroup.get(group) ?? [];
    byGroup.set(group, [...others, { id, functionName, matches }]);
  }
  return byGroup;
}

/** Creates an id. Ids have 56 digits and grow. */
const eventId = (now: number, written: number): string => `3${now}${String(written).padStart(42, '0')}`;

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html#LambdaFunctionExample */
const eventOf = ({ subscription, group, stream, logEvents }: Waiting) => ({
  awslogs: {
    data: gzipSync(
      JSON.stringify({
        messageType: 'DATA_MESSAGE',
        owner: awsEnvironment.account,
        logGroup: group,
        logStream: stream,
        subscriptionFilters: [subscription.id],
        logEvents,
      }),
    ).toString('base64'),
  },
});

export type Filter = (line: string) => boolean;

/** Matches one comparison of a field: `$.status >= 400`, `$.key_id != "-"`. */
const comparison = /^\$\.(\w+) (=|!=|>=) (?:"([^"\\]*)"|(\d+))$/;

/**
 * Reads a filter pattern for JSON lines: comparisons of fields, joined by `&&`.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 * @param of names the owner of the pattern in the error message
 * @throws StartError for any other pattern
 */
export function readFilterPattern(of: string, pattern: string): Filter {
  const [, inside = ''] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  const tests = inside.split(' && ').map((part) => {
    const [, field, operator, text, digits] = comparison.exec(part) ?? [];
    if (field === undefined || (operator === '>=') !== (digits !== undefined))
      throw new StartError(
        `${of} has the filter pattern ${pattern}: the local stack knows only { … } with comparisons like $.status >= 400, $.message = "text" or $.message != "text", joined by &&.`,
      );
    return (line: Record<string, unknown>): boolean => {
      const value = line[field];
      if (digits !== undefined) return typeof value === 'number' && value >= Number(digits);
      return typeof value === 'string' && (value === text) === (operator === '=');
    };
  });
  return (line) => {
    const fields = objectIn(line);
    return fields !== undefined && tests.every((test) => test(fields));
  };
}

function objectIn(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

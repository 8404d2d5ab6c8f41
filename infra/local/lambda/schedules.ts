import { randomUUID } from 'node:crypto';
import type { ScheduledEvent } from 'aws-lambda';
import { StartError } from '../process/startError.ts';
import type { JsonObject } from '../template/intrinsics.ts';
import { assertKnownProperties } from '../template/resourceTypes.ts';
import { awsEnvironment, idInArn, type Resource } from '../template/template.ts';
import type { AsyncInvocations } from './asyncInvocations.ts';

interface Schedule {
  rule: string;
  functionName: string;
  everyMs: number;
}

/** How long after the start the first run begins, so that earlier work need not wait a whole period. */
const firstAfterMs = 2000;

/** Schedules with this period or a longer one do not run right after the start. Nothing waits for them, and they would slow down every start. */
const noFirstRunFromMs = 3_600_000;

const known = ['Description', 'Name', 'ScheduleExpression', 'State', 'Targets'];
/** The properties of a target that may be set. The last two have no effect here, because every event reaches its function. */
const knownOfTarget = ['Arn', 'Id', 'DeadLetterConfig', 'RetryPolicy'];

/**
 * Starts the schedules of the template. As with EventBridge, invocations are asynchronous: a run may begin while the previous one is still
 * running.
 * @param functionNames the functions of the template
 * @returns stops the schedules
 * @throws StartError if a rule has a property or a value that the local stack does not know
 */
export function startSchedules(
  rules: readonly Resource[],
  functionNames: ReadonlySet<string>,
  { begin }: Pick<AsyncInvocations, 'begin'>,
): () => void {
  const schedules = rules.flatMap((rule) => schedulesOf(rule, functionNames));
  const timers = schedules.flatMap(({ rule, functionName, everyMs }) => {
    const run = () => begin(functionName, eventOf(rule));
    const first = everyMs < noFirstRunFromMs ? [setTimeout(run, Math.min(firstAfterMs, everyMs))] : [];
    return [...first, setInterval(run, everyMs)];
  });
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}

function schedulesOf({ id, properties }: Resource, functionNames: ReadonlySet<string>): Schedule[] {
  assertKnownProperties(id, properties, known);
  const everyMs = periodOf(id, properties.ScheduleExpression);
  const schedules = (properties.Targets as JsonObject[]).map((target): Schedule => {
    assertKnownProperties(`A target of ${id}`, target, knownOfTarget);
    const functionName = idInArn(target.Arn as string);
    if (!functionNames.has(functionName))
      throw new StartError(
        `${id} has the target ${target.Arn}: the local stack supports only Lambdas of the template.`,
      );
    return { rule: id, functionName, everyMs };
  });
  return properties.State === 'DISABLED' ? [] : schedules;
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** @returns milliseconds */
function periodOf(id: string, expression: unknown): number {
  const [, count, unit] = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(String(expression)) ?? [];
  if (unit === undefined)
    throw new StartError(
      `${id} has the schedule ${expression}: the local stack supports only rate(…) in minutes, hours or days.`,
    );
  return Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-run-lambda-schedule.html */
const eventOf = (rule: string): ScheduledEvent<Record<string, never>> => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: awsEnvironment.account,
  time: `${new Date().toISOString().slice(0, 19)}Z`,
  region: awsEnvironment.region,
  resources: [
    `arn:${awsEnvironment.partition}:events:${awsEnvironment.region}:${awsEnvironment.account}:rule/${rule}`,
  ],
  detail: {},
});

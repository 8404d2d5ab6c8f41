import type { StageSettings } from '../../stacks/stages/stages.ts';
import { prices, queueDollars, requestDollars, type Usage, type Work, workDollars } from './dollars.ts';

/** What happens in a month. */
export interface Traffic {
  reads: number;
  writes: number;
  /** Events that are sent to a subscription. */
  events: number;
  /** Messages of the inbox. */
  messages: number;
}

/** What the bench `cost` has measured. */
export interface Measured {
  /** How many requests of a key come for one call of the authorizer. */
  cachedRequests: number;
  authorizer: Usage;
  counting: Work;
  /** The operations of a read and of a write: one half each. */
  reads: readonly Usage[];
  writes: readonly Usage[];
  change: Work;
  event: Work;
  message: Work;
}

export interface Line {
  name: string;
  dollars: number;
  /** What is counted. */
  of: string;
}

/** Of a request: its line of the access log, that of its function, and two of Lambda. Of an event and a message about as many. */
const logBytes = 1700;

/** X-Ray traces the first request of each second, and a twentieth of the others. */
const tracedAlways = 30 * 86_400;
const tracedShare = 0.05;

const average = (works: readonly Usage[], dollars: (work: Usage) => number): number =>
  works.reduce((sum, work) => sum + dollars(work), 0) / works.length;

/** Dollars for a month of traffic. What a stage costs without any is not in it. */
export function billOf(
  { reads, writes, events, messages }: Traffic,
  measured: Measured,
  { outbox, tracing, firewall }: Pick<StageSettings, 'outbox' | 'tracing' | 'firewall'>,
): Line[] {
  const requests = reads + writes;
  const changes = writes + messages;
  const { authorizer, cachedRequests, counting } = measured;
  const forAll = (dollars: (work: Usage) => number) =>
    (reads * average(measured.reads, dollars) + writes * average(measured.writes, dollars)) / 1e6;
  const units = (work: Usage) => workDollars({ ...work, ms: 0, invocations: 0, sqsCalls: 0 });
  const all = forAll((work) => requestDollars(work, authorizer, 1 / cachedRequests));
  const gateway = (requests * prices.restApiMillionRequests) / 1e6;
  const database = forAll(units) + (requests * units(authorizer)) / cachedRequests / 1e6;
  const traced = tracing ? Math.min(requests, tracedAlways + tracedShare * requests) : 0;
  const millions = (count: number) => `${Number((count / 1e6).toPrecision(3)).toLocaleString('en')} million`;
  return [
    { name: 'API Gateway', dollars: gateway, of: `${millions(requests)} requests` },
    { name: 'Lambda', dollars: all - gateway - database, of: 'requests, and the authorizer' },
    { name: 'DynamoDB', dollars: database, of: 'requests, and the authorizer' },
    { name: 'counts of keys', dollars: (requests * workDollars(counting)) / 1e6, of: 'requests' },
    {
      name: 'index and feed',
      dollars: (changes * workDollars(measured.change)) / 1e6,
      of: `${millions(changes)} changes`,
    },
    {
      name: 'events and deliveries',
      dollars: (events * workDollars(measured.event)) / 1e6,
      of: `${millions(events)} events`,
    },
    {
      name: 'inbox',
      dollars: (messages * workDollars(measured.message)) / 1e6,
      of: `${millions(messages)} messages`,
    },
    {
      name: 'outbox',
      dollars: outbox ? (changes * queueDollars) / 1e6 : 0,
      of: outbox ? `${millions(changes)} changes` : 'the stage has none',
    },
    {
      name: 'logs',
      dollars: ((requests + events + messages) * logBytes * prices.logsGigabyte) / 1e9,
      of: `${logBytes} bytes of a request, an event, a message`,
    },
    {
      name: 'traces',
      dollars: (traced * prices.tracesMillion) / 1e6,
      of: tracing ? `${millions(traced)} requests` : 'the stage has none',
    },
    ...(firewall
      ? [
          {
            name: 'firewall',
            dollars: (requests * prices.firewallMillionRequests) / 1e6,
            of: `${millions(requests)} requests`,
          },
        ]
      : []),
  ];
}

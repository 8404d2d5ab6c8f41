import { replaceModules } from '../simulation/replaceModules.ts';
import { beginning, useClock } from '../simulation/virtualTime.ts';
import { currentActor } from './engine/actor.ts';
import { presentTime } from './engine/world.ts';

// Must be imported before anything of lib: it gives lib a clock, a memory and random values that the exploration decides on.

const replaced = (name: string): URL => new URL(`./replaced/${name}.ts`, import.meta.url);

replaceModules({
  'node:timers/promises': replaced('timers'),
  'node:crypto': replaced('crypto'),
  'lib/logs/log.ts': replaced('log'),
  'lib/webhooks/sending/send.ts': replaced('sendSigned'),
  'lib/records/collectionMap.ts': new URL('../support/data/separateMemory.ts', import.meta.url),
});

useClock(presentTime);

performance.now = () => presentTime() - beginning + (currentActor()?.elapsedMs ?? 0);

const { random } = Math;
// The middle of each range: which of two pauses ends first is a choice of its own.
Math.random = () => (currentActor() ? 0.5 : random());

// Time passes in steps, so a limit of time for a single call means nothing.
AbortSignal.timeout = () => new AbortController().signal;

for (const table of ['RECORDS', 'INDEX', 'KEYS', 'SESSIONS', 'ACTIVITY', 'WEBHOOKS'])
  process.env[`${table}_TABLE`] = table.toLowerCase();
process.env.QUICK_DELIVERIES_QUEUE_URL = 'https://sqs.example/quick';
process.env.SLOW_DELIVERIES_QUEUE_URL = 'https://sqs.example/slow';
process.env.DEFERRED_FAN_OUT_QUEUE_URL = 'https://sqs.example/deferred';
// Of the index nothing is deferred: the stream hands over again what is left.
delete process.env.DEFERRED_INDEX_QUEUE_URL;
process.env.KEY_CHANGES_QUEUE_URL = 'https://sqs.example/key-changes';
process.env.STALE_ANSWER_SECONDS = '10';
process.env.METRICS_NAMESPACE = 'exploration';
process.env.ACTIVITY_DAYS = '400';
process.env.KEY_ENVIRONMENT = 'live';
process.env.CONSOLE_URL = 'https://console.example/';
process.env.ID_KEY = 'exploration'.repeat(8);
process.env.AWS_REGION = 'local-1';

import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeList } from '../../../lib/contract/changes.ts';
import { env } from '../../../lib/env.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { stopSignal } from '../../terminal/stopSignal.ts';
import { type Api, changesAfter, NoAnswerError, newestNumber, resourceOf } from './api.ts';
import { forward, type LocalReceiver, usualDelaysMs } from './forward.ts';
import { keyOf, parseApi, parseNumber, parseReceiver, parseTypes, secretOf } from './options.ts';

// KEY=… npm run ops -- listen --url https://api.example.com/v1 --forward-to http://127.0.0.1:4000

/** How often to ask for new changes. */
const pollMs = 1000;

/** The longest time between two requests to an API that does not answer. */
const longestMs = 30_000;

interface Options {
  url: string;
  forwardTo: string;
  types?: string;
  after?: number;
}

export const program = new OpsCommand('listen')
  .description(
    'Send the events of an account to a receiver on this machine, as webhooks of a full subscription, for as long as it runs. ' +
      'They are made from GET /changes, with a key of the API in the environment variable KEY, and signed with a secret that is ' +
      'printed at the start, or with that of the environment variable SECRET.',
  )
  .requiredOption('--url <url>', 'the address of the API, with its version', parseApi)
  .requiredOption('--forward-to <url>', 'the receiver, on localhost or 127.0.0.1', parseReceiver)
  .option('--types <types>', 'only these types of events, as in contact.*,order.paid', parseTypes)
  .option(
    '--after <number>',
    'begin behind the change with this number, or at the oldest with --after=-1 (default: with the next change)',
    parseNumber,
  )
  .action(listen);

async function listen(options: Options): Promise<void> {
  const signal = stopSignal();
  const api: Api = { url: options.url, key: keyOf(process.env), signal };
  const secret = secretOf(process.env);
  const receiver: LocalReceiver = { url: options.forwardTo, secret, delaysMs: usualDelaysMs };
  // The sender takes only public addresses otherwise.
  process.env[env.allowLoopbackReceivers] = '1';
  let done: number | undefined;
  try {
    for await (done of forwarded(api, receiver, options));
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    if (done !== undefined) console.log(`Continue with KEY=… SECRET=… ${commandFrom(options, done)}`);
  }
}

/** Forwards changes. @returns the number up to which all are forwarded, whenever it changes */
async function* forwarded(
  api: Api,
  receiver: LocalReceiver,
  { types, after }: Options,
): AsyncGenerator<number> {
  const { url, signal } = api;
  let number = after ?? (await newestNumber(api));
  // At the start nothing is asked again: the address or the key may be wrong.
  let page = await changesAfter(api, number, types);
  console.log(`Events are signed with ${receiver.secret}, and come from ${url} behind change ${number}.`);
  for (;;) {
    yield number;
    for (const change of page.data) {
      const resource = await lasting(() => resourceOf(api, change), signal);
      await forward(change, resource ?? { id: change.resource.id }, receiver, signal);
      yield change.number;
      signal.throwIfAborted();
    }
    number = page.pagination.next_after;
    if (!page.pagination.has_more) await sleep(pollMs, undefined, { signal });
    page = await lasting(() => changesAfter(api, number, types), signal);
  }
}

/** Makes a request again and again while the API does not answer. */
async function lasting<T extends ChangeList | object | undefined>(
  ask: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let delayMs = pollMs; ; delayMs = Math.min(2 * delayMs, longestMs)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      console.error(`${error.message} It is asked again in ${delayMs / 1000} s.`);
      await sleep(delayMs, undefined, { signal });
    }
  }
}

/** The command line that begins behind a change. Every value is in quotes that no character of it ends. */
function commandFrom({ url, forwardTo, types }: Options, number: number): string {
  const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`;
  const only = types === undefined ? '' : ` --types ${quoted(types)}`;
  return `npm run ops -- listen --url ${quoted(url)} --forward-to ${quoted(forwardTo)}${only} --after=${number}`;
}

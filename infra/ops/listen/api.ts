import type { Change, ChangeList } from '../../../lib/contract/changes.ts';
import { listChanges } from '../../../lib/contract/changes.ts';
import type { EventResourceType } from '../../../lib/contract/eventTypes.ts';
import type { SubscriptionInEvents } from '../../../lib/contract/webhookSubscriptions.ts';
import {
  getWebhookSubscription,
  type WebhookSubscription,
} from '../../../lib/contract/webhookSubscriptions.ts';
import { escaped } from '../../../lib/errors/quoted.ts';
import { documents } from '../../../lib/resources/documents.ts';
import { ofEach } from '../../../lib/resources/index.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { isObject } from '../../../lib/values/json.ts';
import { receiverHost } from '../../../lib/webhooks/model/urls.ts';
import { OpsError } from '../../terminal/opsError.ts';

/** The API, as a client with a key uses it. */
export interface Api {
  url: string;
  key: string;
  /** Ends a request that is under way. */
  signal: AbortSignal;
}

/** The API does not answer, or cannot at the moment: another request later may succeed. */
export class NoAnswerError extends OpsError {}

const reads = {
  ...ofEach((_, type) => documents[type].read),
  subscription: getWebhookSubscription,
} satisfies Record<EventResourceType, Operation>;

/** As long as API Gateway waits. */
const waitMs = 30_000;

/** The most changes in a page. */
const pageMax = 100;

/** The changes after a number, oldest first. @throws OpsError */
export function changesAfter(api: Api, after: number, types: string | undefined): Promise<ChangeList> {
  return changes(api, { after: `${after}`, limit: `${pageMax}`, ...(types ? { types } : {}) });
}

/** The number of the newest change. @throws OpsError */
export async function newestNumber(api: Api): Promise<number> {
  const { pagination } = await changes(api, { sort: '-number', limit: '1' });
  return pagination.next_after;
}

async function changes(api: Api, query: Record<string, string>): Promise<ChangeList> {
  const answer = await get(api, `${listChanges.path}?${new URLSearchParams(query)}`);
  if (!answer || !('pagination' in answer)) throw isNoApi(api, 'has no changes');
  return answer as unknown as ChangeList;
}

/**
 * What a change is about, as it is now and as events show it.
 * @returns undefined when there is none, or when it is of a type that this release does not know
 * @throws OpsError
 */
export async function resourceOf(api: Api, { resource }: Change): Promise<object | undefined> {
  const type: string = resource.type;
  if (!Object.hasOwn(reads, type)) return undefined;
  const { path } = reads[type as EventResourceType];
  const found = await get(
    api,
    path.replace(/\{\w+\}/, () => resource.id),
  );
  return found && type === 'subscription' ? subscriptionInEvents(found as WebhookSubscription) : found;
}

const subscriptionInEvents = ({ id, url, status }: WebhookSubscription): SubscriptionInEvents => ({
  id,
  host: receiverHost(url),
  status,
});

/** @returns undefined for 404 */
async function get(api: Api, path: string): Promise<object | undefined> {
  const { url, key, signal } = api;
  const response = await fetch(`${url}${path}`, {
    headers: { 'X-Api-Key': key },
    // The key must not be sent to another address.
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]),
  }).catch((error) => {
    signal.throwIfAborted();
    throw new NoAnswerError(`The API at ${url} does not answer: ${reasonOf(error)}.`);
  });
  const { status } = response;
  const answer: unknown = await response.json().catch(() => undefined);
  if (status === 429 || status >= 500)
    throw new NoAnswerError(`The API at ${url} answers ${status} at the moment.`);
  if (!isObject(answer)) throw isNoApi(api, `answers ${status} without JSON`);
  if (response.ok) return answer;
  const message = escaped(String((answer as { message?: unknown }).message));
  if (status === 401) throw new OpsError(`The API at ${url} does not take the key in KEY: ${message}.`);
  if (status === 403) throw new OpsError(`The key in KEY is not enough: ${message}.`);
  if (status === 404) return undefined;
  throw new OpsError(`The API at ${url} answers ${status}: ${message}.`);
}

const isNoApi = ({ url }: Api, what: string) =>
  new OpsError(
    `The address ${url} ${what}, so it is not that of this API, which ends with the version, as in https://api.example.com/v1.`,
  );

/** Node puts the reason behind "fetch failed" into the cause. */
const reasonOf = (error: Error & { cause?: { message?: string } }): string =>
  escaped(error.cause?.message || error.message);

import { counted } from '../numbers.ts';
import { spans } from '../parts/texts.ts';

// All texts of the list of subscriptions, of the page of one with its deliveries, and of their dialogs.

export const title = 'Webhooks';
export const about = 'Get notified when something changes.';
export const create = 'Create subscription';
export const reading = 'webhook subscriptions';
export const none = 'No webhook subscriptions yet';
export const noneAbout = 'A subscription sends events, such as a new order, to a URL of yours.';
export const noneCreate = 'Create one with the events that you need.';
export const noneViewer = 'An administrator can create one.';
export const guide = 'How webhooks work';
export const columns = ['Webhook', 'Events', 'Status'] as const;
export const created = 'created {by}';
export const inThisPage = 'on this page';
export const byKey = 'by the key {name}';
export const allEvents = 'all events';

export const health = {
  healthy: 'healthy',
  nothingSent: 'nothing sent yet',
  down: 'down',
  failing: 'failing',
  latest: 'last delivered {time}',
  tried: 'next attempt {time}',
  waiting: (count: number) => `${counted(count)} waiting`,
  failed: (count: number) => `${counted(count)} failed in 24 h`,
} as const;

export const failing = {
  some: ' (a receiver fails)',
  since: 'Failing since {time}:',
  waiting: (count: number) => (count === 1 ? '1 event waits.' : `${counted(count)} events wait.`),
  response: 'Last response',
  next: 'The next attempt is {time}.',
  test: 'Send a test',
  sendAll: 'Send all now',
  testFirst:
    '“Send all now” first sends a test event. When your receiver accepts it, all that waits follows at once.',
  neverAccepted: 'Send a test first: after it succeeds, you can send what waits.',
  failed: (count: number) =>
    `${count === 1 ? '1 delivery' : `${counted(count)} deliveries`} of the last 24 hours failed for good.`,
} as const;

export const found = {
  title: 'Deliveries in all subscriptions',
  columns: ['Event', 'Subscription', 'Resource', 'Status', 'When'],
  none: 'No delivery of the last 35 days has this ID. Deliveries of deleted subscriptions, and tests, are not found.',
  more: 'These are the newest 100. Older ones are in the subscriptions.',
} as const;

export const back = '← Webhooks';
export const readingOne = 'webhook subscription';
export const toAll = 'To all webhook subscriptions';
export const deleted = 'A deleted subscription';
export const deletedAbout = 'Its deliveries can be read for 35 days.';
export const actions = {
  edit: 'Edit…',
  rotate: 'Rotate secret…',
  remove: 'Delete…',
  pause: 'Pause',
  resume: 'Resume',
  waiting: 'Waiting…',
} as const;
export const paused = 'Paused. What happens meanwhile is held.';
export const resumed = 'Resumed. What was held is sent while the receiver accepts it.';
export const saved = 'The subscription is saved.';
export const isDeleted = 'The subscription is deleted.';
export const facts = {
  status: 'Status',
  events: 'Events',
  content: 'Content',
  secret: 'Secret',
  previous: 'the previous one until {time}',
  rate: 'Rate limit',
  perSecond: (count: number) => `${counted(count)} events per second`,
  leavesOut: 'Leaves out',
  own: 'changes by the key that created it',
  updates: 'Updates',
  onlyOf: (fields: string) => `only of ${fields}`,
  id: 'ID',
  created: 'Created',
  createdAt: '{time} {by}',
  changed: 'last changed {by}',
} as const;
export const payloads = { full: 'The whole resource', thin: 'Only its id' } as const;

export const suspended = 'This receiver was down for three days.';
export const suspendedAbout =
  'New events are held, and the oldest is tried from time to time. As soon as the receiver takes it, the others follow by themselves.';
export const suspendedResume = ' If the receiver works again, “Resume” sends them at once.';
export const blocked = (host: string) => `The operator of this API sends no webhooks to ${host}.`;
export const blockedAbout =
  'New events are held for 30 days. They are sent when the operator ends this, or when the subscription has a URL of another host.';
export const stopped = 'The operator of this API has paused this subscription.';
export const stoppedAbout = 'New events are held for 30 days. Only the operator can resume it: ask them.';

export const test = {
  title: 'Test',
  check: 'Also check that your receiver refuses a forged event and an old one',
  send: 'Send a test event',
  type: 'Event to send',
  plain: 'webhook.test',
  waiting: 'Waiting for your receiver…',
  after: (ms: number) => `after ${counted(ms)} ms`,
  unclear:
    'Whether your receiver verifies signatures is not known: its response to a forged event and an old one was not clear. Try again.',
  verifies: 'Your receiver verifies signatures: it refused a forged event and one that was an hour old.',
  doesNot: 'Your receiver does not verify signatures.',
  doesNotAbout:
    'It accepted a forged event or one that was an hour old, so anybody who knows its address can send it events. Check the signature and the time with the signing secret, as the libraries of Standard Webhooks do.',
} as const;

export const form = {
  create: 'Create a webhook subscription',
  creating: { action: 'Create subscription', waiting: 'Creating…' },
  edit: 'Edit the subscription',
  editing: { action: 'Save', waiting: 'Saving…' },
  saveAnyway: 'Save anyway',
  newer: (events: string, url: string) =>
    `The subscription was changed in the meantime. It now sends ${events} to ${url}. What you typed is still here.`,
  url: 'URL of your receiver',
  urlHint: 'https://example.com/hooks',
  noUrl: 'Enter the whole address, as in https://example.com/hooks.',
  events: 'Events',
  noneChosen: 'Choose at least one.',
  chosen: (count: number, all: number) => `(${count} of ${all})`,
  more: 'More: content and rate limit',
  updates: 'Updates',
  onlyFields: 'Only of certain fields',
  othersAnyway: '(all other events are sent anyway)',
  fieldsOf: (resources: string) => `Fields of ${resources}`,
  all: 'All, also those that are added later',
  allOf: (resources: string) => `All of ${resources}`,
  content: 'Content',
  thin: 'Your receiver reads the resource with a key of the API.',
  rate: 'Rate limit (events per second, optional)',
  rateAbout: 'So that many events at once, as after a pause, do not overload your receiver.',
  rateHint: 'No limit',
  noRate: (most: number) => `Enter a whole number from 1 to ${most}, or nothing.`,
  description: 'Description (optional)',
} as const;

export const rotate = {
  title: 'Rotate the secret',
  action: 'Rotate secret',
  waiting: 'Rotating…',
  about: 'Webhooks to {url} are signed with a new secret. Until the old one ends, they are signed with both.',
} as const;

export const remove = {
  title: 'Delete the subscription?',
  action: 'Delete subscription',
  waiting: 'Deleting…',
  about:
    'Nothing more is sent to {url}, not even what is waiting now. The log of its deliveries stays readable for 35 days. This cannot be undone. To stop it for a while, pause it.',
  deliveries: (count: number) => `Deliveries in the last 35 days: ${counted(count)}.`,
  noDeliveries: 'There was no delivery in the last 35 days.',
  looking: 'Looking for its deliveries…',
  unknown: 'Its deliveries could not be read.',
} as const;

export const secret = {
  title: 'Copy the signing secret now',
  label: 'Signing secret',
  about:
    'Your receiver uses it to check that a webhook comes from here, as the libraries of Standard Webhooks do. Then send a test from the subscription’s page.',
  verify: 'How to verify a webhook',
  language: 'Language',
} as const;

export const log = {
  title: 'Deliveries',
  reading: 'deliveries',
  readingOne: 'delivery',
  columns: ['Event', 'Resource', 'Status', { name: 'Attempts', isNumber: true }, 'When'],
  next: 'next {time}',
  due: 'due now',
  retryNow: 'Retry now',
  once: '{outcome} after {ms} ms, {time}',
  times: '{outcome} {count} times, {time} to {last}',
  signature: 'new for each attempt, as webhook-timestamp is, and not kept',
  headers: { id: 'webhook-id', signature: 'webhook-signature' },
  body: 'Body',
  clear: 'Clear filters',
  deliveryId: 'Delivery id',
  wasSent: 'What was sent',
  willBeSent: 'What will be sent',
  inEvent: (type: string) => `in ${type}`,
  readingBody: 'body',
  notKept: 'It is no longer kept.',
  noAttempt: 'None yet',
  sending: 'Sending…',
  tryAgain: 'Try again',
  redeliver: 'Redeliver',
  sentAgain: 'Sent again',
  willBeSentAgain: 'It is sent again in a moment.',
  noAnswer: 'No response received. It is sent again once, however often you try.',
  count: (count: number) => (count === 1 ? '1 delivery' : `${counted(count)} deliveries`),
  none: 'There was no delivery in the last 35 days. The next change that fits its events is delivered within seconds.',
  noneFiltered: 'No deliveries match.',
  status: 'Status',
  anyStatus: 'Any status',
  statuses: (status: string) => (status === 'pending' ? 'pending or retrying' : status),
  event: 'Event',
  anyEvent: 'Any event',
  time: 'Time',
  spans: [['', 'Last 35 days'], ...spans],
} as const;
/** A redelivery of many. */
export const many = {
  begin: 'Redeliver many…',
  title: 'Redeliver many',
  action: 'Redeliver',
  actionFor: (count: number) =>
    count === 1 ? 'Redeliver 1 delivery' : `Redeliver ${counted(count)} deliveries`,
  waiting: 'Starting…',
  about:
    'Each delivery is sent again once, at the pace of the subscription. You can leave this page meanwhile.',
  which: 'Deliveries',
  statuses: [
    ['failed', 'Failed'],
    ['pending', 'Waiting'],
    ['all', 'Failed or delivered, for a receiver that accepted events and then lost them'],
  ],
  reading: 'number of deliveries',
  pending: 'Waiting deliveries are left out because they will be sent anyway.',
  close: 'Close',
  progress: 'progress of the redelivery',
  states: {
    running: 'Sending deliveries again…',
    completed: 'Done.',
    cancelled: 'The redelivery ended, because the subscription was deleted.',
  },
  leftOut: {
    pending: 'wait and are sent anyway',
    other_status: 'have arrived',
    other_type: 'are of other events',
    earlier_host: 'were made for another host',
  },
  sent: (sent: number, total: number, left: number) =>
    `${counted(sent)} of ${counted(total)} sent again, ${counted(left)} left out`,
  reasons: (reasons: string) => `Left out: ${reasons}.`,
} as const;

export const example = {
  show: 'Example',
  of: (type: string) => `Example of ${type}`,
} as const;

export const reasons = {
  manual: 'by a person',
  failing: 'its receiver was down for three days',
  gone: 'the receiver responded with 410 Gone',
  operator: 'by the operator of the API',
  blocked: 'the operator of the API has blocked its host',
} as const;

export const deliveryReasons = {
  refused: 'the receiver refused it, and accepted others',
  expired: 'it was held for 30 days',
  other_host: 'the URL had got another host before it was sent again',
} as const;

export const outcomes = {
  success: 'Delivered',
  http_error: 'The receiver responded with an error',
  timeout: 'The receiver did not respond in time',
  connection_error: 'No connection to the receiver',
  protocol_error: 'The receiver does not speak HTTP/1.1',
  dns_error: 'The host name of the receiver was not found',
  tls_error: 'The certificate of the receiver was not accepted',
  blocked_address: 'The address of the receiver is not allowed',
  redirect: 'The receiver responded with a redirect, which is not followed',
} as const;

export const attemptReasons = {
  certificate_expired: 'its certificate has expired',
  unknown_issuer: 'the issuer of its certificate is unknown, or a certificate of the chain is missing',
  name_mismatch: 'its certificate is for another name',
  self_signed: 'its certificate is self-signed',
  not_tls: 'it does not speak TLS',
  refused: 'it refused the connection',
  reset: 'it reset the connection',
  cut: 'it closed the connection within the response',
  headers_too_large: 'the headers of its response have more than 64 KB',
  not_http: 'what it sent is not HTTP',
  http2: 'it speaks only HTTP/2',
  malformed: 'its response breaks the rules of HTTP/1.1',
} as const;

import { counted } from '../locale.ts';
import { spans } from '../parts/partTexts.ts';

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
export const inThisPage = 'on this page';
export const byKey = 'by the key {name}';
export const allEvents = 'all events';

export const healthHealthy = 'healthy';
export const healthNothingSent = 'nothing sent yet';
export const healthDown = 'down';
export const healthFailing = 'failing';
export const healthLatest = 'last delivered {time}';
export const healthWaiting = (count: number) => `${counted(count)} waiting`;
export const healthFailed = (count: number) => `${counted(count)} failed in 24 h`;

export const failingSome = ' (a receiver fails)';
export const failingSince = 'Failing since {time}.';
export const failingWaiting = (count: number) =>
  count === 1 ? '1 event is waiting.' : `${count === 0 ? 'No' : counted(count)} events are waiting.`;
export const failingResponse = 'Last response';
export const failingNext = 'The next attempt is {time}.';
export const failingTest = 'Send a test';
export const failingSendAll = 'Send all now';
export const failingTestFirst =
  '“Send all now” first sends a test event. When your receiver accepts it, all that is waiting follows at once.';
export const failingNeverAccepted = 'Send a test first: after it succeeds, you can send what is waiting.';
export const failingFailed = (count: number) =>
  `${count === 1 ? '1 delivery' : `${counted(count)} deliveries`} of the last 24 hours failed for good.`;

export const foundTitle = (id: string) =>
  id.startsWith('dlv')
    ? 'A delivery'
    : id.startsWith('evt')
      ? 'Deliveries of an event'
      : 'Deliveries about a resource';
export const foundNone =
  'There was no such delivery in the last 35 days. Deliveries of deleted subscriptions, and tests, are not found.';
export const foundMore = 'These are the newest 100. Older ones are in the subscriptions.';

export const back = '← Webhooks';
export const readingOne = 'webhook subscription';
export const deleted = 'Deleted subscription';
export const deletedAbout = (id: string) => `${id} was deleted. Its deliveries can be read for 35 days.`;
export const actionsEdit = 'Edit…';
export const actionsRotate = 'Rotate secret…';
export const actionsRemove = 'Delete…';
export const actionsPause = 'Pause';
export const actionsResume = 'Resume';
export const actionsWaiting = 'Waiting…';
export const paused = 'Paused. Events are held until you resume it.';
export const resumed = 'Resumed. What was held is sent while the receiver accepts it.';
export const saved = 'The subscription is saved.';
export const isDeleted = 'The subscription is deleted.';
export const factsStatus = 'Status';
export const factsEvents = 'Events';
export const factsContent = 'Content';
export const factsSecret = 'Secret';
export const factsPrevious = 'the previous one until {time}';
export const factsRate = 'Rate limit';
export const factsPerSecond = (count: number) =>
  `${counted(count)} ${count === 1 ? 'event' : 'events'} per second`;
export const factsLeavesOut = 'Leaves out';
export const factsOwn = 'changes by the key that created it';
export const factsUpdates = 'Updates';
export const factsOnlyOf = (fields: string) => `only of ${fields}`;
export const factsId = 'ID';
export const factsCreated = 'Created';
export const factsCreatedAt = '{time} {by}';
export const factsChanged = 'last changed {by}';
export const payloads = { full: 'The whole resource', thin: 'Only its ID' } as const;

export const suspended = 'This receiver was down for three days.';
export const suspendedAbout =
  'New events are held, and the oldest is tried from time to time. As soon as the receiver accepts it, the others follow by themselves.';
export const suspendedResume = ' If the receiver works again, “Resume” sends them at once.';
export const blocked = (host: string) => `The operator of this API sends no webhooks to ${host}.`;
export const blockedAbout =
  'New events are held for 30 days. They are sent when the operator ends this, or when the subscription has a URL of another host.';
export const stopped = 'The operator of this API has paused this subscription.';
export const stoppedAbout = 'New events are held for 30 days. Only the operator can resume it: ask them.';

export const testTitle = 'Test';
export const testCheck = 'Also check that your receiver rejects a forged event and an old one';
export const testSend = 'Send a test event';
export const testType = 'Event to send';
export const testWaiting = 'Waiting for your receiver…';
export const testAfter = (ms: number) => `after ${counted(ms)} ms`;
export const testUnclear =
  'Whether your receiver verifies signatures is not known: its response to a forged event and an old one was not clear. Try again.';
export const testVerifies =
  'Your receiver verifies signatures: it rejected a forged event and one that was an hour old.';
export const testDoesNot = 'Your receiver does not verify signatures.';
export const testDoesNotAbout =
  'It accepted a forged event or one that was an hour old, so anybody who knows its address can send it events. Check the signature and the time with the signing secret, as the libraries of Standard Webhooks do.';

export const formCreate = 'Create a webhook subscription';
export const formCreating = 'Creating…';
export const formEdit = 'Edit the subscription';
export const formNewer = (events: string, url: string) =>
  `The subscription was changed in the meantime. It now sends ${events} to ${url}. What you typed is still here.`;
export const formUrl = 'URL of your receiver';
export const formUrlHint = 'https://example.com/hooks';
export const formNoUrl = 'Enter the whole address, as in https://example.com/hooks.';
export const formNoneChosen = 'Choose at least one.';
export const formChosen = (count: number, all: number) => `(${count} of ${all})`;
export const formMore = 'More: content and rate limit';
export const formOnlyFields = 'Only of certain fields';
export const formOthersAnyway = '(all other events are sent anyway)';
export const formFieldsOf = (resources: string) => `Fields of ${resources}`;
export const formAll = 'All, also those that are added later';
export const formAllOf = (resources: string) => `All of ${resources}`;
export const formThin = 'Your receiver reads the resource with an API key.';
export const formRate = 'Rate limit (events per second, optional)';
export const formRateAbout =
  'Keeps a burst of events, such as after a pause, from overloading your receiver.';
export const formRateHint = 'No limit';
export const formNoRate = (most: number) => `Enter a whole number from 1 to ${most}, or nothing.`;
export const formDescription = 'Description (optional)';

export const rotateTitle = 'Rotate the secret';
export const rotateAction = 'Rotate secret';
export const rotateWaiting = 'Rotating…';
export const rotateAbout =
  'Webhooks to {url} are signed with a new secret. Until the old one ends, they are signed with both.';

export const removeTitle = 'Delete the subscription?';
export const removeAction = 'Delete subscription';
export const removeWaiting = 'Deleting…';
export const removeAbout =
  'Nothing more is sent to {url}, not even what is waiting now. The log of its deliveries stays readable for 35 days. This cannot be undone. To stop it for a while, pause it.';
export const removeDeliveries = (count: number) => `Deliveries in the last 35 days: ${counted(count)}.`;
export const removeNoDeliveries = 'There was no delivery in the last 35 days.';
export const removeLooking = 'Looking for its deliveries…';
export const removeUnknown = 'Its deliveries could not be read.';

export const secretTitle = 'Copy the signing secret now';
export const secretLabel = 'Signing secret';
export const secretAbout =
  'Your receiver uses it to check that a webhook comes from here, as the libraries of Standard Webhooks do. Then send a test from the subscription’s page.';
export const secretVerify = 'How to verify a webhook';

export const logTitle = 'Deliveries';
export const logReading = 'deliveries';
export const logReadingOne = 'delivery';
export const logColumns = [
  'Event',
  'Resource',
  'Status',
  { name: 'Attempts', isNumber: true },
  'When',
] as const;
export const logNext = 'next attempt {time}';
export const logDue = 'next attempt in a moment';
export const logRetryNow = 'Retry now';
export const logOnce = '{outcome} after {ms} ms, {time}';
export const logTimes = '{outcome} {count} times, {time} to {last}';
export const logSignature = 'new for each attempt, as webhook-timestamp is, and not kept';
export const logHeaders = { id: 'webhook-id', signature: 'webhook-signature' } as const;
export const logBody = 'Body';
export const logEventId = 'Event ID';
export const logDeliveryId = 'Delivery ID';
export const logWasSent = 'What was sent';
export const logWillBeSent = 'What will be sent';
export const logInEvent = (type: string) => `in ${type}`;
export const logReadingBody = 'body';
export const logNotKept = 'It is no longer kept.';
export const logNoAttempt = 'None yet';
export const logSending = 'Sending…';
export const logTryAgain = 'Try again';
export const logRedeliver = 'Redeliver';
export const logSentAgain = 'Sent again';
export const logWillBeSentAgain = 'It is sent again in a moment.';
export const logIsHeld = 'It is sent again when the subscription is resumed.';
export const logNoAnswer = 'No response received. It is sent again once, however often you try.';
export const logCount = (count: number) => (count === 1 ? '1 delivery' : `${counted(count)} deliveries`);
export const logNone =
  'There was no delivery in the last 35 days. The next change that fits its events is delivered within seconds.';
export const logNoneFiltered = 'No deliveries match.';
export const logAnyStatus = 'Any status';
export const logStatuses = (status: string) => (status === 'pending' ? 'pending or retrying' : status);
export const logEvent = 'Event';
export const logAnyEvent = 'Any event';
export const logTime = 'Time';
export const logSpans = [['', 'Last 35 days'], ...spans] as const;
/** A redelivery of many. */
export const manyBegin = 'Redeliver many…';
export const manyTitle = 'Redeliver many';
export const manyActionFor = (count: number) => (count === 0 ? 'Redeliver' : `Redeliver ${logCount(count)}`);
export const manyWaiting = 'Starting…';
export const manyAbout =
  'Each delivery is sent again once, within the rate limit of the subscription. You can close this page while it runs.';
export const manyStatuses = [
  ['failed', 'Failed', 'No attempt is left.'],
  ['pending', 'Waiting', 'Send them now instead of at their next attempt.'],
  ['all', 'Failed or delivered', 'For a receiver that accepted events and then lost them.'],
] as const;
export const manyHeld =
  'Nothing is sent to this subscription now. The deliveries are sent again when it is resumed.';
export const manyRunning =
  'Another redelivery of this subscription is running. You can start a new one when it has ended.';
export const manyReading = 'number of deliveries';
export const manyClose = 'Close';
export const manyProgress = 'progress of the redelivery';
export const manyStates = {
  running: 'Sending deliveries again…',
  completed: 'All are queued. The list shows how your receiver responds to each.',
  cancelled: 'The redelivery ended, because the subscription was deleted.',
} as const;
export const manyLeftOut = {
  pending: 'still waiting, and sent anyway',
  other_status: 'already delivered, or failed',
  other_type: 'of other events',
  earlier_host: 'made for another host',
} as const;
export const manySent = (sent: number, total: number) => `${counted(sent)} of ${counted(total)} queued`;
export const manyReasons = (reasons: string) => `Left out: ${reasons}.`;

export const exampleShow = 'Example';
export const exampleOf = (type: string) => `of ${type}`;

export const reasons = {
  manual: 'by hand',
  failing: 'its receiver was down for three days',
  gone: 'the receiver responded with 410 Gone',
  operator: 'by the operator of the API',
  blocked: 'the operator of the API has blocked its host',
} as const;

export const deliveryReasons = {
  refused: 'the receiver rejected it, and accepted others',
  expired: 'it was held for 30 days',
  other_host: 'the URL was changed to another host before it was sent again',
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

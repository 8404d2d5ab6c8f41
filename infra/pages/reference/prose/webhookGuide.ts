import { fenced, programsFor } from '../pages/programs.ts';
import { allPatterns } from './names.ts';
import { verifiers } from './verifiers.ts';

/** The guide to webhooks, in Markdown. */
export const webhookGuide = `## Webhooks

With webhooks, your receiver gets an event for every change, and you do not need to poll. Subscribe, and store the \`secret\` of the answer where your receiver can read it: it is shown once. (On the local stack the URL may be \`http://127.0.0.1:4000/\`.)

${programsFor({
  method: 'POST',
  path: '/webhook-subscriptions',
  body: { url: 'https://example.com/hooks', event_types: ['contact.*', 'order.paid'] },
})}

${allPatterns} stand for several types, also for types that will be added. The page [Events](events.html) has all types. One change is one event, of the most specific type. With the payload \`full\`, \`data\` holds the whole resource and \`previous\` the old values of the changed fields. With \`thin\`, \`data\` has only the id and \`previous\` is empty. An account can have 25 subscriptions, and one subscription for each URL.

### Verify a delivery

Events are sent as [Standard Webhooks](https://www.standardwebhooks.com), which have libraries for many languages. This receiver uses the library for Node.js (\`npm install standardwebhooks\`, then \`SECRET=whsec_… node receiver.mjs\`):

\`\`\`js
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.SECRET);

async function receive(request) {
  const body = await text(request);
  return webhook.verify(body, request.headers);
}

createServer(async (request, response) => {
  const event = await receive(request)
    .catch(() => undefined);
  const isTest = event?.type === "webhook.test" ||
    event?.origin?.kind === "test";
  if (event) console.log(event.type, event.data.id,
    ...(isTest ? ["(test)"] : []));
  response.writeHead(event ? 204 : 400).end();
}).listen(4000, "127.0.0.1");
\`\`\`

Without a library, this function does it with the standard library of its language. It computes the HMAC-SHA256 of \`webhook-id\`, \`webhook-timestamp\` and the body, joined by dots, with the secret after \`whsec_\`, decoded from base64. One of the signatures must be the same, and the time at most five minutes away from your clock.

${verifiers.map(({ fence, code }) => fenced(fence, code)).join('\n\n')}

Test the receiver before an event happens, with the \`id\` of the subscription. The answer contains the answer of your receiver:

\`\`\`sh
export SUBSCRIPTION=whs_…
\`\`\`

\`\`\`sh
ADDRESS="$URL/webhook-subscriptions/$SUBSCRIPTION"
curl -X POST "$ADDRESS/test" -H "X-Api-Key: $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"check_signatures": true}'
\`\`\`

With \`check_signatures\`, the receiver also gets one webhook with a wrong signature and one with an old timestamp. \`verifies_signatures\` is \`true\` if it refused both, and \`false\` if it accepted one: then others can send it events, or send old ones again. With \`"event_type": "order.paid"\`, the receiver gets the example of this type that is in the reference, signed as any event, with the \`origin\` \`{"kind": "test"}\`.

### Retries, order and duplicates

Answer 2xx within 15 seconds. Any other answer is a failure, also a redirect. A failed attempt is tried again after 5 s, 1 m, 5 m, 15 m, 30 m, 1 h, 2 h, 4 h, 8 h, 12 h, 20 h and 24 h: 13 attempts in three days. Each delay is up to a tenth longer, and never shorter. With 429 or 503, \`Retry-After\` can ask for a longer delay, 24 hours at most.

Each event arrives at least once, and events may arrive in any order. Use an event only if its \`resource.version\` is higher than the version that you have; then duplicates and order do not matter. \`webhook-id\` is the same in every attempt. Others can know it, so verify the signature before you store it as processed.

A program that also writes records sets \`exclude_own\` of its subscription: then it gets no event about a change by the key that created the subscription. \`origin\` says of each event who made the change.

A subscription with \`"changed_fields": ["email", "tags"]\` gets a \`.updated\` event only if one of these fields has changed. Events of all other types are sent anyway. A field that no subscribed resource has is refused.

### After an outage

You need to do nothing. After ten failed attempts in a row, and thirty seconds without a success, your receiver counts as down: its deliveries are held, and one of the oldest tries it after 5 s, 30 s, 1 m, 5 m, 15 m, 30 m, 1 h, 2 h, 4 h, and then every five hours (\`next_probe_at\`). The first success sends the others, oldest first, slowly at first and faster with every success. After 72 hours the subscription is suspended, and its receiver is tried as before. With \`max_per_second\` you limit how many attempts begin in a second.

\`410 Gone\` disables the subscription. While it is disabled or paused, its deliveries are held. \`PATCH\` with \`{"status": "active"}\` sends them; if the last attempt at your receiver was no success, the oldest is sent first, and the others after the first success. A delivery that was held for 30 days is \`failed\`, with the \`status_reason\` \`expired\`; until it is 35 days old it can be sent again. The log of the last 35 days has every delivery with its attempts and the answers of your receiver. Each delivery can be sent again (\`redeliver\`), and so can all of a time: \`POST …/{subscriptionId}/redeliver\` with \`{"since": …}\`, and with \`"status": "all"\` also those that your receiver has accepted and lost.

The log takes filters, all of which a delivery must match: \`status\` and \`event_type\` with one or more words, \`resource_id\`, \`since\` and \`before\`. A single delivery also has \`body\`, the text that was sent. So this asks what was sent about one record, and what the receiver said:

\`\`\`sh
ADDRESS="$URL/webhook-subscriptions/$SUBSCRIPTION"
curl -G "$ADDRESS/deliveries" -H "X-Api-Key: $KEY" \\
  -d resource_id=con_9x7aej2svz025b0x7prpcchs \\
  -d status=failed,pending
\`\`\`

### Rotate a secret

\`rotate-secret\` gives a new secret, which signs at once. The previous secret signs too for a day, or for \`overlap_seconds\`. In this time, give the new secret to every receiver.
`;

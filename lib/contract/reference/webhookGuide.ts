/** How to be told of what happens, in Markdown. */
export const webhookGuide = `## Webhooks

Be told of what happens instead of asking for it. Subscribe, and keep the \`secret\` of the answer where your receiver finds it: it is shown once. (On the local stack the address may be \`http://127.0.0.1:4000/\`.)

\`\`\`sh
curl "$URL/webhook-subscriptions" \\
  -H "X-Api-Key: $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "url": "https://example.com/hooks",
    "event_types": ["contact.*", "order.paid"]
  }'
\`\`\`

\`contact.*\`, \`order.*\`, \`event_registration.*\` and \`*\` stand for several types, also for those to come; all are under Events. One change is one event, of the most specific type. With the payload \`full\`, \`data\` holds the whole resource and \`previous\` what the changed fields were; with \`thin\`, \`data\` is the id. An account can have 25 subscriptions, and subscribe a URL once.

### Verify a delivery

Events are posted as [Standard Webhooks](https://www.standardwebhooks.com), for which there is a library in every language. A receiver with the one for Node.js (\`npm install standardwebhooks\`, then \`SECRET=whsec_… node receiver.mjs\`):

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
  if (event) console.log(event.type, event.data.id);
  response.writeHead(event ? 204 : 400).end();
}).listen(4000, "127.0.0.1");
\`\`\`

Without a library, verify the signature like this:

1. Take the body as it came, byte for byte, before anything parses it.
2. Join \`webhook-id\`, \`webhook-timestamp\` and the body with dots.
3. Take from the secret what stands after \`whsec_\`, decode it from base64, and compute with it the HMAC-SHA256 of the joined text.
4. In base64 and after \`v1,\` it must be one of the signatures in \`webhook-signature\`, which stand apart by spaces. Compare in constant time.
5. Refuse a timestamp that is more than five minutes away from your clock.

See whether it works before anything happens, with the \`id\` of the subscription; the answer says what your receiver said:

\`\`\`sh
export SUBSCRIPTION=whs_…
\`\`\`

\`\`\`sh
ADDRESS="$URL/webhook-subscriptions/$SUBSCRIPTION"
curl -X POST "$ADDRESS/test" -H "X-Api-Key: $KEY"
\`\`\`

### Retries, order and duplicates

Answer 2xx within 15 seconds; anything else, a redirect too, is a failure. Then it is tried again after 5 s, 1 m, 5 m, 15 m, 30 m, 1 h, 2 h, 4 h, 8 h, 12 h, 20 h and 24 h: 13 attempts in three days, each up to a tenth of its wait later, never earlier. With 429 or 503, \`Retry-After\` can put it off for longer, 24 hours at most.

Events come at least once, and in no order. Take one if its \`resource.version\` is higher than the one you have, and neither matters. \`webhook-id\` is the same in every attempt. Others can know it, so verify the signature before you remember it as seen.

### After an outage

\`410 Gone\` disables the subscription, as do five days without a success. While it is disabled, or paused, deliveries wait; \`PATCH\` it to \`{"status": "active"}\`, and they are sent. The log of the last 30 days tells what became of every delivery and what your receiver answered, and each can be sent again (\`redeliver\`).

### Rotate a secret

\`rotate-secret\` gives a new secret, which signs at once. The one before signs beside it for a day, or for as long as \`overlap_seconds\` says, so there is time to bring the new one to every receiver.
`;

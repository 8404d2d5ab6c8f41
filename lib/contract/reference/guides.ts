// Loaded by CDK at synth and by the tests, and by no Lambda: imports nothing but zod and its neighbours.

/** The short guides at the top of the reference, in Markdown. */
export const guides = `JSON in UTF-8, fields in snake_case, every documented field always there: \`null\`, \`[]\` or \`{}\` when there is nothing to say. Times are RFC 3339 in UTC with milliseconds; money is an integer in the currency’s minor unit. Within v1 fields and enum values may be added, so be ready for those that you do not know.

## Getting started

You need the address of the API and a key. On your own machine \`npm start\` prints both, and this page beside them; of a deployed API its operator gives you them.

\`\`\`sh
export URL=http://127.0.0.1:3000/v1
export KEY=pak_test_…
\`\`\`

Whose key it is, and what it may do:

\`\`\`sh
curl "$URL/me" -H "X-Api-Key: $KEY"
\`\`\`

Create a contact. The answer is 201 with the whole contact; its \`id\` is for good. Should the answer get lost, send the same again: the \`Idempotency-Key\` makes it one contact.

\`\`\`sh
curl "$URL/contacts" -H "X-Api-Key: $KEY" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: ada-1" -d '{"email": "ada@example.com", "first_name": "Ada"}'
\`\`\`

From here: walk all contacts (Pagination), and be told of every change of them (Webhooks). The document that this page shows, for generators of clients, is \`openapi.json\` beside it.

## Authentication

Every request carries your key in the header \`X-Api-Key\`. A key that is missing, unknown, expired or revoked is answered with 401, and always with the same message. Keep keys on servers: whoever has one is your account, and the API lets no web page of another origin call it. \`GET /me\` tells which account a key is for and what it may do.

## Scopes

A key has full access, or one or several scopes: \`contacts:read\`, \`contacts:write\`, \`orders:read\`, \`events:read\`, \`webhooks:manage\`. Each operation names the one it needs. Without it the answer is 403, which names it too. Checks come in this order: route, key, scope, parameters and body, existence.

## Pagination

Lists take \`limit\` (1 to 100, default 25) and \`offset\` (from 0, default 0). To read all, begin at 0 and add \`limit\` to \`offset\` until it reaches \`pagination.total\`, or follow \`rel="next"\` in the header \`Link\`. Records are listed oldest first and only ever appended, so no page skips or repeats one; webhook deliveries are listed newest first. Any offset costs the same, \`total\` is exact, and past the end there is an empty page.

\`\`\`js
const headers = { "X-Api-Key": process.env.KEY };

async function* allContacts() {
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const response = await fetch(\`\${process.env.URL}/contacts?limit=100&offset=\${offset}\`, { headers });
    const page = await response.json();
    if (!response.ok) throw new Error(page.message);
    yield* page.data;
    total = page.pagination.total;
  }
}

for await (const { id, email } of allContacts()) console.log(id, email);
\`\`\`

## Bodies

A body is one JSON object of at most 262,144 bytes, as \`application/json\` or a type that ends in \`+json\`, not compressed. Text is trimmed and brought into Unicode’s form NFC. Control characters are refused, but for the newline in notes, and so is U+FFFD. Unknown fields and parameters are refused by name: a typing error that is ignored is a lost value.

## Errors

Every error is exactly \`{"error": …, "message": …}\`. \`error\` is the name of the status. \`message\` says what is wrong and what is allowed; it names all problems at once, joined by \`; \`. The header \`X-Request-Id\` of every answer is the id in our logs.

## Idempotency

Send a POST with an \`Idempotency-Key\` of your choice, and send it again whenever you are in doubt: for seven days, per account and operation, it has one effect. Every repetition gets the first answer, with the header \`Idempotent-Replayed: true\`. The same key with another path or body is 422. GET, PATCH and DELETE may be repeated as they are; after a DELETE a repetition is 404. A test of a webhook is sent anew each time.

## Versions and conditional requests

A record’s \`version\` grows by one with every change, and is its \`ETag\`. PATCH with \`If-Match: "3"\` changes version 3 or nothing (412, which names the version that is there). GET of one record with \`If-None-Match: "3"\` is 304, without a body, while it still is version 3.

## Webhooks

Subscribe, and keep the \`secret\` of the answer where your receiver finds it: it is shown once. (On the local stack the address may be \`http://127.0.0.1:4000/\`.)

\`\`\`sh
curl "$URL/webhook-subscriptions" -H "X-Api-Key: $KEY" -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com/hooks", "event_types": ["contact.*", "order.paid"]}'
\`\`\`

Events are posted as Standard Webhooks (https://www.standardwebhooks.com), for which there is a library in every language. A receiver with the one for Node.js (\`npm install standardwebhooks\`, and \`SECRET=whsec_… node receiver.mjs\`):

\`\`\`js
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.SECRET);
const receive = async (request) => webhook.verify(await text(request), request.headers);
createServer(async (request, response) => {
  const event = await receive(request).catch(() => undefined);
  if (event) console.log(event.type, event.resource.id, event.resource.version);
  response.writeHead(event ? 204 : 400).end();
}).listen(4000);
\`\`\`

Without a library:

1. Take the body as it came, byte for byte, before anything parses it.
2. Join \`webhook-id\`, \`webhook-timestamp\` and the body with dots.
3. Take from the secret what stands after \`whsec_\`, decode it from base64, and compute with it the HMAC-SHA256 of the joined text.
4. In base64 and after \`v1,\` it must be one of the signatures in \`webhook-signature\`, which stand apart by spaces. Compare in constant time.
5. Refuse a timestamp that is more than five minutes away from your clock.

See whether it works before anything happens; the answer says what your receiver said:

\`\`\`sh
curl -X POST "$URL/webhook-subscriptions/$SUBSCRIPTION/test" -H "X-Api-Key: $KEY"
\`\`\`

Answer 2xx within 15 seconds, or it is tried again: 13 attempts in three days. Events come at least once and in no order: take one if its \`resource.version\` is higher than the one you have. \`410 Gone\` disables the subscription, as do five days without a success; \`PATCH\` it to \`{"status": "active"}\`, and what waited is sent.
`;

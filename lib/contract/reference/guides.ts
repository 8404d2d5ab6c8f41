// Loaded by CDK at synth and by the tests, and by no Lambda: imports nothing but zod and its neighbours.

/** The short guides at the top of the reference, in Markdown. */
export const guides = `JSON in UTF-8, fields in snake_case, every documented field always there: \`null\`, \`[]\` or \`{}\` when there is nothing to say. Times are RFC 3339 in UTC with milliseconds; money is an integer in the currency’s minor unit. Within v1 fields and enum values may be added, so be ready for those that you do not know.

## Authentication

Every request carries your key in the header \`X-Api-Key\`:

\`\`\`sh
curl "$URL/me" -H "X-Api-Key: $KEY"
\`\`\`

A key that is missing, unknown, expired or revoked is answered with 401, and always with the same message. Keep keys on servers: whoever has one is your account. \`GET /me\` tells which account a key is for and what it may do.

## Scopes

A key has full access, or one or several scopes: \`contacts:read\`, \`contacts:write\`, \`orders:read\`, \`events:read\`, \`webhooks:manage\`. Each operation names the one it needs. Without it the answer is 403, which names it too. Checks come in this order: route, key, scope, parameters and body, existence.

## Pagination

Lists take \`limit\` (1 to 100, default 25) and \`offset\` (from 0, default 0). To read all, begin at 0 and add \`limit\` to \`offset\` until it reaches \`pagination.total\`, or follow \`rel="next"\` in the header \`Link\`. Records are listed oldest first and only ever appended, so no page skips or repeats one; webhook deliveries are listed newest first. Any offset costs the same, \`total\` is exact, and past the end there is an empty page.

## Bodies

A body is one JSON object of at most 262,144 bytes, as \`application/json\` or a type that ends in \`+json\`, not compressed. Text is trimmed and brought into Unicode’s form NFC. Control characters are refused, but for the newline in notes, and so is U+FFFD. Unknown fields and parameters are refused by name: a typing error that is ignored is a lost value.

## Errors

Every error is exactly \`{"error": …, "message": …}\`. \`error\` is the name of the status. \`message\` says what is wrong and what is allowed; it names all problems at once, joined by \`; \`. The header \`X-Request-Id\` of every answer is the id in our logs.

## Idempotency

Send a POST with an \`Idempotency-Key\` of your choice, and send it again whenever you are in doubt: for seven days, per account and operation, it has one effect. Every repetition gets the first answer, with the header \`Idempotent-Replayed: true\`. The same key with another path or body is 422. GET, PATCH and DELETE may be repeated as they are; after a DELETE a repetition is 404. A test of a webhook is sent anew each time.

## Versions and conditional requests

A record’s \`version\` grows by one with every change, and is its \`ETag\`. PATCH with \`If-Match: "3"\` changes version 3 or nothing (412, which names the version that is there). GET of one record with \`If-None-Match: "3"\` is 304, without a body, while it still is version 3.

## Webhooks

Subscribe with \`POST /webhook-subscriptions\`, and keep the \`secret\` of the answer: it is shown once. Events are posted as Standard Webhooks (https://www.standardwebhooks.com), for which there is a library in every language. To verify one:

1. Take the body as it came, byte for byte, before anything parses it.
2. Join \`webhook-id\`, \`webhook-timestamp\` and the body with dots.
3. Take from the secret what stands after \`whsec_\`, decode it from base64, and compute with it the HMAC-SHA256 of the joined text.
4. In base64 and after \`v1,\` it must be one of the signatures in \`webhook-signature\`, which stand apart by spaces. Compare in constant time.
5. Refuse a timestamp that is more than five minutes away from your clock.

\`\`\`js
import { Webhook } from "standardwebhooks";

const event = new Webhook(secret).verify(body, headers);
\`\`\`

Answer 2xx within 15 seconds, or it is tried again: 13 attempts in three days. Events come at least once and in no order: take one if its \`resource.version\` is higher than the one you have. \`410 Gone\` disables the subscription, as do five days without a success; \`PATCH\` it to \`{"status": "active"}\`, and what waited is sent. \`POST /webhook-subscriptions/{subscriptionId}/test\` shows whether your receiver works.
`;

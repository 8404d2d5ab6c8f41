import { webhookGuide } from './webhookGuide.ts';

/** The short guides at the top of the reference, in Markdown. */
export const guides = `Read and create contacts, read orders and event registrations, and be told of what changes, over HTTP with JSON.

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

Create a contact. The answer is 201 with the whole contact; its \`id\` is for good.

\`\`\`sh
curl "$URL/contacts" \\
  -H "X-Api-Key: $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"email": "ada@example.com"}'
\`\`\`

From here: [walk all contacts](#description/pagination), and [be told](#description/webhooks) of every change of them. What this page shows is [openapi.json](openapi.json), for generators of clients.

## Authentication

Every request carries your key in the header \`X-Api-Key\`. A key that is missing, unknown, expired or revoked is answered with 401, and always with the same message. Keep keys on servers: whoever has one is your account, and the API lets no web page of another origin call it. \`GET /me\` tells which account a key is for and what it may do.

## Scopes

A key has full access, or one or several scopes: \`contacts:read\`, \`contacts:write\`, \`orders:read\`, \`events:read\`, \`webhooks:manage\`. Each operation names the one it needs. Without it the answer is 403, which names it too. Checks come in this order: route, key, scope, parameters and body, existence.

## Fields and bodies

JSON in UTF-8, fields in snake_case, every documented field always there: \`null\`, \`[]\` or \`{}\` when there is nothing to say. Times are RFC 3339 in UTC with milliseconds; money is an integer in the currency’s minor unit.

A body is one JSON object of at most 262,144 bytes, as \`application/json\` or a type that ends in \`+json\`, not compressed. A number that a double (IEEE 754) rounds, such as 9007199254740993 or 1e-400, is refused and not changed. Text is trimmed and brought into Unicode’s form NFC. Control characters are refused, but for the newline in notes, and so are U+FFFD and the characters that turn the writing direction (U+202A to U+202E, U+2066 to U+2069). A text has a character that can be seen; e-mail addresses and URLs have no others. Unknown fields and parameters are refused by name: a typing error that is ignored is a lost value.

An answer of 1,024 bytes or more is compressed for a client that asks for it with \`Accept-Encoding: gzip\` or \`deflate\`. A page of 100 contacts is then a fifth as long.

## Pagination

Lists take \`limit\` (1 to 100, default 25) and \`offset\` (from 0, default 0). To read all, begin at 0 and add \`limit\` to \`offset\` until it reaches \`pagination.total\`, or follow \`rel="next"\` in the header \`Link\`. Records are listed oldest first and only ever appended, so no page skips or repeats one; webhook deliveries are listed newest first. Any offset costs the same, \`total\` is exact, and past the end there is an empty page.

\`\`\`js
const headers = { "X-Api-Key": process.env.KEY };
const contacts = \`\${process.env.URL}/contacts\`;

async function* allContacts(limit = 100) {
  let [offset, total] = [0, 1];
  for (; offset < total; offset += limit) {
    const page = \`limit=\${limit}&offset=\${offset}\`;
    const response = await fetch(
      \`\${contacts}?\${page}\`,
      { headers },
    );
    const answer = await response.json();
    if (!response.ok)
      throw new Error(answer.message);
    yield* answer.data;
    total = answer.pagination.total;
  }
}

for await (const { id, email } of allContacts())
  console.log(id, email);
\`\`\`

## Errors

Every error, from whatever layer, is exactly this:

\`\`\`json
{
  "error": "Bad Request",
  "message": "limit must be an integer from 1 to 100"
}
\`\`\`

\`error\` is the name of the status. \`message\` says what is wrong and what is allowed, for people; it names all problems at once, joined by \`; \`. The header \`X-Request-Id\` of every answer is the id in our logs.

| Status | When | Then |
|---|---|---|
| 400 | something is not what is allowed | mend the request |
| 401 | the key is not one | check the key |
| 403 | the key lacks the scope, or its account is suspended | use another key, or ask the operator |
| 404 | there is no such route or record | |
| 412 | it is another version than in \`If-Match\` | read it again |
| 413 | the request is too large | |
| 415 | the body is compressed, and not as the request says | send it as it is |
| 422 | the \`Idempotency-Key\` had another request, or its answer a secret that has been replaced | choose another |
| 429 | too many requests | wait as \`Retry-After\` says |
| 500, 502, 504 | it is our fault | try again |

## Rate limits

The API sets none of its own. What API Gateway sets for the whole of it, or an operator’s firewall for an address, is answered 429 with \`Retry-After\`: wait so many seconds, and try again.

## Idempotency

Send a POST with an \`Idempotency-Key\` of your choice, a UUID for instance, and send it again whenever you are in doubt: for seven days, per account and operation, it has one effect. Every repetition gets the first answer, with the header \`Idempotent-Replayed: true\`. The same key with another path or body is 422. An answer with the secret of a webhook subscription is repeated while that secret is the newest one, for a key that may read what the subscription is sent; after a rotation or a deletion it is 422. GET, PATCH and DELETE may be repeated as they are; after a DELETE a repetition is 404. A test of a webhook is sent anew each time.

## Versions of records

A record’s \`version\` grows by one with every change, and is its \`ETag\`. PATCH with \`If-Match: "3"\` changes version 3 or nothing (412, which names the version that is there). GET of one record with \`If-None-Match: "3"\` is 304, without a body, while it still is version 3.

## Changes of this API

Within v1 fields, operations, enum values and types of events may be added, so be ready for those that you do not know. What is there stays as it is; anything else would be a v2 beside it.

${webhookGuide}`;

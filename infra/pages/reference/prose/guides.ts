import { scopes } from '../../../../lib/resources/index.ts';
import { programsFor } from '../pages/programs.ts';
import { listGuide } from './listGuide.ts';
import { syncGuide } from './syncGuide.ts';
import { webhookGuide } from './webhookGuide.ts';

/** The short guides at the top of the reference, in Markdown. */
export const guides = `## Getting started

Make your first request and receive your first webhook in a few minutes.

### 1. Create a key

Create a key in [Settings › Integrations](console). The secret is shown once: copy it into your shell, with the address of the API.

\`\`\`sh
export URL=http://127.0.0.1:3000/v1
export KEY=pak_test_…
\`\`\`

### 2. Make a request

Ask which account and scopes the key has:

${programsFor({ method: 'GET', path: '/me' })}

Create a contact. The response is 201 with the whole contact. Its \`id\` never changes.

${programsFor({ method: 'POST', path: '/contacts', body: { email: 'ada@example.com' } })}

### 3. Receive a webhook

In Settings › Integrations › Webhooks, choose “Create subscription”, enter the URL of your receiver and select contact.created. “Send a test event” shows what your receiver answered, and whether it verifies signatures. The guide to [webhooks](webhooks.html) has a receiver that does.

Next steps: [read all contacts](pagination.html) or [some of them](filter-sort-and-page-through-lists.html), or [keep a copy in sync](keep-a-copy-in-sync.html). You can generate a client from [openapi.json](openapi.json).

## Authentication

Every request has your key in the header \`X-Api-Key\`. If the key is missing, unknown, expired or revoked, the answer is 401, always with the same message. Keep keys on servers: anybody with a key can act as your account. Web pages of other origins cannot call the API. \`GET /me\` shows the account and the scopes of a key, when it was created, and when it expires.

## Scopes

A key has full access, or one or more scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}. Each operation names the scope that it needs. Without this scope the answer is 403, which names the scope too. The checks have this order: route, key, scope, parameters and body, existence.

## Fields and bodies

Bodies are JSON in UTF-8, with fields in snake_case. An answer contains every required field; a field without a value is \`null\`, \`[]\` or \`{}\`. Times are RFC 3339 in UTC with milliseconds; money is an integer in the currency’s minor unit.

A request body is one JSON object of at most 262,144 bytes (1,048,576 for a batch), as \`application/json\` or a type that ends in \`+json\`, not compressed. Byte order marks before it are skipped. A number that a double (IEEE 754) rounds, such as 9007199254740993 or 1e-400, is refused, because it would be changed; 0.10000000000000001, as some programs print 0.1, is 0.1. Text is trimmed and normalized to Unicode’s form NFC. An optional text with nothing visible in it, such as an empty string, is \`null\`. A tab is stored as a space, and so is a line break where a text has one line. Notes, custom fields and answers may have several lines. Other control characters are refused. Lone surrogates, U+FFFD, U+202D, U+202E and other changes of the writing direction without their end are refused too, and so are tag characters (U+E0000 to U+E007F) outside an emoji flag, because they can hide words. A text has at most 30 combining marks in a row. A text must have a visible character; e-mail addresses and URLs have only visible ones. Unknown fields and parameters are refused, and the message names them: if a typo were ignored, a value would be lost.

An answer of 1,024 bytes or more is compressed for a client that sends \`Accept-Encoding: gzip\` or \`deflate\`. A page of 100 contacts is then a fifth as long.

## Pagination

Lists take \`limit\` (1 to 100, default 25) and \`offset\` (from 0, default 0). To read all records, start with \`offset\` 0 and add \`limit\` until \`offset\` reaches \`pagination.total\`, or follow \`rel="next"\` in the header \`Link\`. Records are listed oldest first, and new records are only appended, so no page of a list without filters skips or repeats a record. Webhook deliveries are listed newest first. In a list that takes \`after\`, \`rel="next"\` skips and repeats nothing: it has \`after\` and no \`offset\` where records can leave the list, or new ones come first. Any offset costs the same, and \`total\` is exact. A page past the end is empty.

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

${listGuide}

${syncGuide}

## Errors

Errors from every layer have exactly this form:

\`\`\`json
{
  "error": "Bad Request",
  "message": "limit must be an integer from 1 to 100"
}
\`\`\`

\`error\` is the name of the status. \`message\` tells people what is wrong and what is allowed, with all problems joined by \`; \`. The header \`X-Request-Id\` of every answer is the id in our logs.

| Status | Cause | What to do |
|---|---|---|
| 400 | a part of the request is not allowed | correct the request |
| 401 | the key is not valid, or not in \`X-Api-Key\` | check the key and its header; \`Authorization: Bearer\` is not read |
| 403 | the key lacks the scope, its account is suspended, or the operator has stopped the webhook subscription | use another key, or ask the operator |
| 404 | there is no such route or record | |
| 409 | another redelivery of the subscription is running | wait until it is completed |
| 412 | \`If-Match\` does not name the current version, or \`If-None-Match\` of a PUT names it | read the record again |
| 413 | the request is too large | |
| 415 | the platform cannot decompress the body | send the body without compression |
| 422 | the \`Idempotency-Key\` was used for another request, or its answer has a secret that is no longer the newest | choose another key |
| 429 | too many requests | wait for the seconds in \`Retry-After\` |
| 500, 502, 504 | an internal error | try again |

## Rate limits

The API itself sets no limits. API Gateway has limits for the whole API, and an operator’s firewall can have limits for an address. Over these limits the answer is 429 with \`Retry-After\`: wait for this number of seconds, and try again.

## Idempotency

Send a POST with an \`Idempotency-Key\` of your choice, for example a UUID. If you do not know whether it succeeded, send it again. For seven days, per account and operation, all requests with this key have one effect. Every repetition gets the first answer, with the header \`Idempotent-Replayed: true\`. The same key with another path or body is 422.

An answer that has the secret of a webhook subscription is repeated only while that secret is the newest, and only to a key that may read the resources in the subscription’s events, both with the settings in the first answer and with today’s. The key that rotated the secret gets its answer again, whatever it may read. After a rotation or a deletion the repetition is 422.

GET, PUT, PATCH and DELETE may be repeated without a key, and so may a batch of contacts, because it names each contact by its \`external_id\`; after a DELETE a repetition is 404. A test of a webhook is the exception: each request sends a test.

## Concurrency

A record’s \`version\` grows by one with every change, and is its \`ETag\`. PATCH with \`If-Match: "3"\` changes version 3, or answers 412 and changes nothing; the message names the current version. So does PUT; with \`If-None-Match: *\` it only creates. GET of one record with \`If-None-Match: "3"\` is 304, without a body, while the record has version 3.

## Versioning

Within v1, fields, operations, enum values and types of events may be added. Your client must accept fields, values and types that it does not know. Existing parts stay as they are; any other change would be a new API, v2, next to v1.

${webhookGuide}`;

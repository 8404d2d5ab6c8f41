import { entityTagsMax, idempotencyKeyMax } from '../requestHeaders.ts';

/** What an answer's header tells, what it may look like, and an example of it. */
interface HeaderNote {
  description: string;
  schema: object;
  example: string;
}

const text = (maxLength: number) => ({ type: 'string', maxLength });

/** The headers of answers that have a value of their own each time. */
export const headerNotes = {
  'X-Request-Id': {
    description: 'The id of the request in our logs. Name it when you ask us about one.',
    schema: text(128),
    example: '4f7e2a1c-9d3b-4c8e-a6f0-5b1d7e9c2a34',
  },
  Location: {
    description: 'The address of what was created.',
    schema: { ...text(2048), format: 'uri' },
    example:
      'https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts/con_9x7aej2svz025b0x7prpcchs',
  },
  ETag: {
    description: 'The version, in double quotes: for `If-Match` and `If-None-Match`.',
    schema: { ...text(18), pattern: '^"[1-9][0-9]*"$' },
    example: '"1"',
  },
  Link: {
    description:
      'The addresses of the first, previous, next and last page (RFC 8288), as far as there are any.',
    schema: text(16_384),
    example:
      '<https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts?limit=25&offset=0>; rel="first", <https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts?limit=25&offset=25>; rel="next", <https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts?limit=25&offset=225>; rel="last"',
  },
  'Idempotent-Replayed': {
    description: 'There when this is the answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'Retry-After': {
    description: 'How many seconds to wait before trying again.',
    schema: { ...text(10), pattern: '^[0-9]+$' },
    example: '1',
  },
} satisfies Record<string, HeaderNote>;

export type NotedHeader = keyof typeof headerNotes;

/** What the headers mean that are the same in every answer. */
export const fixedHeaderNotes = {
  'Cache-Control': 'Nothing may keep the answer: it holds personal data.',
  'Strict-Transport-Security': 'Only https leads here.',
  'X-Content-Type-Options': 'The content is of the type it says.',
};

/** What a client may send (RFC 9110 § 8.8.3 and § 13.1). From others, such as proxies, empty elements of the list are taken too. */
const entityTags = {
  type: 'string',
  minLength: 1,
  maxLength: entityTagsMax,
  pattern: '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$',
};

/** What a request's header does, and what it may look like. An example would be sent by everybody who copies one of a request. */
export const requestHeaderNotes = {
  'Idempotency-Key': {
    description:
      'A name that you choose for this request, such as a UUID. For seven days, per account and operation, it has one effect, and every repetition gets the first one’s answer.',
    schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMax, pattern: '^[ -~]+$' },
  },
  'If-Match': {
    description:
      'The ETag of the version to change, as `"3"`, several of them, or `*` for any. If another one is there by now, nothing is changed (412). A weak one, as `W/"3"`, never is the one that is there.',
    schema: entityTags,
  },
  'If-None-Match': {
    description:
      'The ETag of the version that you have, as `"3"`, several of them, or `*` for any. While one is the latest, the answer is 304, without a body.',
    schema: entityTags,
  },
};

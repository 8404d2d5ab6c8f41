import { entityTagsMax, idempotencyKeyMax } from '../../../../lib/resources/operation.ts';

/** A response header: its meaning, its schema and an example. */
interface HeaderNote {
  description: string;
  schema: object;
  example: string;
}

const text = (maxLength: number) => ({ type: 'string', maxLength });

const address = {
  schema: { ...text(2048), format: 'uri' },
  example:
    'https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts/con_9x7aej2svz025b0x7prpcchs',
};

/** The response headers whose value differs between responses. */
export const headerNotes = {
  'X-Request-Id': {
    description: 'The id of the request in our logs. Name it when you ask us about the request.',
    schema: text(128),
    example: '4f7e2a1c-9d3b-4c8e-a6f0-5b1d7e9c2a34',
  },
  Location: {
    description: 'The address of the record.',
    ...address,
  },
  OwnerLocation: {
    description:
      'If the `external_id` belongs to another record, the address of that record, for a key that may read it.',
    ...address,
  },
  ETag: {
    description: 'The version in double quotes, for `If-Match` and `If-None-Match`.',
    schema: { ...text(18), pattern: '^"[1-9][0-9]*"$' },
    example: '"1"',
  },
  Link: {
    description:
      'The addresses of the first, previous, next and last page (RFC 8288). A page that does not exist is left out. A list by `id` has first and next only. In a list that takes `after`, a program that only follows `next` misses and repeats nothing: `next` has `after` and no `offset` where records can leave the list, or new ones come first.',
    schema: text(16_384),
    example:
      '<https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts?limit=25&offset=0>; rel="first", <https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts?limit=25&offset=25>; rel="next", <https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts?limit=25&offset=225>; rel="last"',
  },
  'Idempotent-Replayed': {
    description:
      'Present when this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'Retry-After': {
    description: 'How many seconds to wait before trying again.',
    schema: { ...text(10), pattern: '^[0-9]+$' },
    example: '1',
  },
} satisfies Record<string, HeaderNote>;

/** The meanings of the headers that are the same in every response. */
export const fixedHeaderNotes = {
  'Cache-Control': 'No cache may store the answer, because it contains personal data.',
  'Strict-Transport-Security': 'Browsers must use https for this host.',
  'X-Content-Type-Options': 'Browsers must not guess another content type.',
};

/** The lists that a client may send (RFC 9110 § 8.8.3 and § 13.1). The API also accepts empty elements, which proxies may add. */
const entityTags = {
  type: 'string',
  minLength: 1,
  maxLength: entityTagsMax,
  pattern: '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$',
};

/** The request headers. They have no examples, because clients would copy them into their requests. */
export const requestHeaderNotes = {
  'Idempotency-Key': {
    description:
      'A name that you choose for this request, such as a UUID. For seven days, per account and operation, all requests with this key have one effect, and every repetition gets the answer to the first request.',
    schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMax, pattern: '^[ -~]+$' },
  },
  'If-Match': {
    description:
      'The ETag of the version to change, as `"3"`, or several ETags, or `*` for any. If the current version is another one, or there is none, nothing is changed (412). A weak ETag, as `W/"3"`, never matches.',
    schema: entityTags,
  },
  'If-None-Match': {
    description:
      'The ETag of the version that you have, as `"3"`, or several ETags, or `*` for any. If one of them is the current version, GET answers 304, without a body, and PUT answers 412 and changes nothing: with `*` it only creates.',
    schema: entityTags,
  },
};

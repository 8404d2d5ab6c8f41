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
    description: 'The id of the request in our logs. Include it when you contact us about the request.',
    schema: text(128),
    example: '4f7e2a1c-9d3b-4c8e-a6f0-5b1d7e9c2a34',
  },
  Location: {
    description: 'The URL of the record.',
    ...address,
  },
  OwnerLocation: {
    description: 'The URL of the record that already has this `external_id`, if the key may read it.',
    ...address,
  },
  ETag: {
    description: 'The version in double quotes. Send it in `If-Match` or `If-None-Match`.',
    schema: { ...text(18), pattern: '^"[1-9][0-9]*"$' },
    example: '"1"',
  },
  Link: {
    description:
      'The URLs of the first, previous, next and last page (RFC 8288), if these pages exist. A list by `id` has only first and next. If you only follow `next`, you miss and repeat nothing: wherever records can leave the list or new ones come first, `next` uses `after` instead of `offset`.',
    schema: text(16_384),
    example:
      '<https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts?limit=25&offset=0>; rel="first", <https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts?limit=25&offset=25>; rel="next", <https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/v1/contacts?limit=25&offset=225>; rel="last"',
  },
  'Idempotent-Replayed': {
    description:
      'Present if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'Retry-After': {
    description: 'The number of seconds to wait before you try again.',
    schema: { ...text(10), pattern: '^[0-9]+$' },
    example: '1',
  },
} satisfies Record<string, HeaderNote>;

/** The meanings of the headers that are the same in every response. */
export const fixedHeaderNotes = {
  'Cache-Control': 'No cache may store the response, because it contains personal data.',
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
      'A value that you choose for this request, such as a UUID. If you repeat the request with the same value within seven days, it has no further effect, and you get the response to the first request. Values are separate for each account and operation.',
    schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMax, pattern: '^[ -~]+$' },
  },
  'If-Match': {
    description:
      'The ETag of the version to change, such as `"3"`. You can send several ETags, or `*` for any version. If the record has another version or does not exist, the API returns 412 and changes nothing. A weak ETag such as `W/"3"` never matches.',
    schema: entityTags,
  },
  'If-None-Match': {
    description:
      'The ETag of the version that you have, such as `"3"`. You can send several ETags, or `*` for any version. If the record has one of these versions, GET returns 304 without a body, and PUT returns 412 and changes nothing. So a PUT with `*` only creates records.',
    schema: entityTags,
  },
};

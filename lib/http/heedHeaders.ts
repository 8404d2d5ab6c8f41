import { createHash } from 'node:crypto';
import type { Operation, RequestHeader } from '../contract/operation.ts';
import { badRequest } from '../errors.ts';
import { type EntityTags, parseEntityTags } from './entityTags.ts';
import type { ApiEvent, Middleware } from './event.ts';
import { headerValues } from './headers.ts';

/** What the client asked for by headers, as far as the operation heeds them. */
export interface Heeded {
  ifMatch?: EntityTags;
  ifNoneMatch?: EntityTags;
  /** A name for the key that has a fixed length and tells nothing about it. */
  idempotencyKey?: string;
}

const readers: Record<RequestHeader, (values: string[]) => Heeded> = {
  'Idempotency-Key': ([value = '', another]) => {
    if (another !== undefined || !/^[\x20-\x7e]{1,255}$/.test(value))
      throw badRequest([
        'The header Idempotency-Key must be given once, with 1 to 255 printable ASCII characters',
      ]);
    return { idempotencyKey: createHash('sha256').update(value).digest('hex') };
  },
  'If-Match': (values) => ({ ifMatch: entityTags('If-Match', values) }),
  'If-None-Match': (values) => ({ ifNoneMatch: entityTags('If-None-Match', values) }),
};

/** A list may come in several headers of the same name (RFC 9110 § 5.3). */
function entityTags(name: RequestHeader, values: string[]): EntityTags {
  const tags = parseEntityTags(values.join(', '));
  if (!tags)
    throw badRequest([`The header ${name} must be * or a list of entity tags in double quotes, as in "3"`]);
  return tags;
}

/**
 * Adds `heeded`.
 * @throws ApiError 400 when a header that the operation heeds is not what it has to be
 */
export const heedHeaders = ({ heeds = [] }: Operation): Middleware => ({
  before: function heedHeadersBefore({ event }) {
    event.heeded = Object.assign({}, ...heeds.map((name) => read(event, name)));
  },
});

function read({ multiValueHeaders }: ApiEvent, name: RequestHeader): Heeded {
  const values = headerValues(multiValueHeaders, name);
  return values.length > 0 ? readers[name](values) : {};
}

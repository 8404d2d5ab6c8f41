import { createHash } from 'node:crypto';
import type { ConsoleOperation } from '../contract/console/consoleOperation.ts';
import { type Constant, constant, ours } from '../errors/constant.ts';
import { problemOfNoField } from '../errors/problem.ts';
import {
  type BaseOperation,
  entityTagsMax,
  idempotencyKeyMax,
  type RequestHeader,
} from '../resources/operation.ts';
import {
  type EntityTags,
  headerValues,
  type Middleware,
  parseEntityTags,
  type RequestHeaders,
} from './apiEvent.ts';

/** Parse the value of each header, or return the rule that it breaks. */
const readers: Record<RequestHeader, (values: string[]) => RequestHeaders | Constant> = {
  'Idempotency-Key': ([sent = '', another]) => {
    // The header is a structured string (draft-ietf-httpapi-idempotency-key-header § 2.1), but most clients send it without
    // quotes.
    const value = sent.trim().replace(/^"(.*)"$/, '$1');
    return another === undefined && value.length <= idempotencyKeyMax && /^[\x20-\x7e]+$/.test(value)
      ? { idempotencyKey: createHash('sha256').update(value).digest('hex') }
      : constant`must be given once, with 1 to ${idempotencyKeyMax} printable ASCII characters`;
  },
  'If-Match': (values) => {
    const ifMatch = entityTags(values);
    return ifMatch ? { ifMatch } : tagsRule;
  },
  'If-None-Match': (values) => {
    const ifNoneMatch = entityTags(values);
    return ifNoneMatch ? { ifNoneMatch } : tagsRule;
  },
};

const tagsRule = constant`must be * or a list of entity tags in double quotes, as in "3", of at most ${entityTagsMax} characters`;

/** A list may be split over several headers with the same name (RFC 9110 § 5.3). */
function entityTags(values: string[]): EntityTags | undefined {
  const text = values.join(', ');
  return text.length <= entityTagsMax ? parseEntityTags(text) : undefined;
}

/** Adds `requestHeaders`. Invalid headers, and missing headers that the operation needs, join the `problems`. */
export const requestHeaders = ({
  requestHeaders: names = [],
  needsIdempotencyKey,
}: BaseOperation & Pick<ConsoleOperation, 'needsIdempotencyKey'>): Middleware => ({
  before: function requestHeadersBefore({ event }) {
    const { problems = [] } = event;
    event.requestHeaders = {};
    for (const name of names) {
      const values = headerValues(event.multiValueHeaders, name);
      const isRead = values.length > 0 || (needsIdempotencyKey && name === 'Idempotency-Key');
      const read = isRead ? readers[name](values) : {};
      if (typeof read === 'string')
        problems.push(problemOfNoField(constant`The header ${ours(name)} ${read}`));
      else Object.assign(event.requestHeaders, read);
    }
    event.problems = problems;
  },
});

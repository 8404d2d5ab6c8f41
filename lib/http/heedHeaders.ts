import { createHash } from 'node:crypto';
import type { Operation, RequestHeader } from '../contract/operation.ts';
import { entityTagsMax, idempotencyKeyMax } from '../contract/requestHeaders.ts';
import type { Rule } from '../contract/rule.ts';
import { type EntityTags, parseEntityTags } from './entityTags.ts';
import type { Middleware } from './event.ts';
import { headerValues } from './headers.ts';

/** What the client asked for by headers, as far as the operation heeds them. */
export interface Heeded {
  ifMatch?: EntityTags;
  ifNoneMatch?: EntityTags;
  /** A name for the key that has a fixed length and tells nothing about it. */
  idempotencyKey?: string;
}

/** What a header asks for, or the rule that it breaks. */
const readers: Record<RequestHeader, (values: string[]) => Heeded | Rule> = {
  'Idempotency-Key': ([value = '', another]) =>
    another === undefined && value.length <= idempotencyKeyMax && /^[\x20-\x7e]+$/.test(value)
      ? { idempotencyKey: createHash('sha256').update(value).digest('hex') }
      : `must be given once, with 1 to ${idempotencyKeyMax} printable ASCII characters`,
  'If-Match': (values) => {
    const ifMatch = entityTags(values);
    return ifMatch ? { ifMatch } : tagsRule;
  },
  'If-None-Match': (values) => {
    const ifNoneMatch = entityTags(values);
    return ifNoneMatch ? { ifNoneMatch } : tagsRule;
  },
};

const tagsRule = `must be * or a list of entity tags in double quotes, as in "3", of at most ${entityTagsMax} characters`;

/** A list may come in several headers of the same name (RFC 9110 § 5.3). */
function entityTags(values: string[]): EntityTags | undefined {
  const text = values.join(', ');
  return text.length <= entityTagsMax ? parseEntityTags(text) : undefined;
}

/** Adds `heeded`. A header that is not what it has to be joins the `problems`. */
export const heedHeaders = ({ heeds = [] }: Operation): Middleware => ({
  before: function heedHeadersBefore({ event }) {
    const { problems = [] } = event;
    event.heeded = {};
    for (const name of heeds) {
      const values = headerValues(event.multiValueHeaders, name);
      const read = values.length > 0 ? readers[name](values) : {};
      if (typeof read === 'string') problems.push(`The header ${name} ${read}`);
      else Object.assign(event.heeded, read);
    }
    event.problems = problems;
  },
});

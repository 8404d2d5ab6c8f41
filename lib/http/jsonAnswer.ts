import type { Operation, ResponseHeader } from '../contract/operation.ts';
import type { ApiEvent, Middleware } from './event.ts';
import { linkHeader, type Pagination, urlOf } from './links.ts';

/** How each header comes out of an answer; an operation declares only those its answer has the field for. */
const derivations: Record<ResponseHeader, (event: ApiEvent, body: unknown) => string> = {
  Location: (event, body) => `${urlOf(event)}/${(body as { id: string }).id}`,
  /** Strong (RFC 9110 § 8.8.1): a version is never given to two different states. */
  ETag: (_, body) => `"${(body as { version: number }).version}"`,
  Link: (event, body) => linkHeader(event, (body as { pagination: Pagination }).pagination),
};

/** Turns what the handler returned into the answer that the operation declares. */
export const jsonAnswer = ({ success }: Operation): Middleware => ({
  after: function jsonAnswerAfter(request) {
    const body = request.response as unknown;
    const headers = (success.headers ?? []).map((name) => [name, derivations[name](request.event, body)]);
    request.response = {
      statusCode: success.status,
      headers: { ...Object.fromEntries(headers), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    };
  },
});

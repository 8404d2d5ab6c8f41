import type { Operation, ResponseHeader } from '../contract/operation.ts';
import { allows } from '../keys/access.ts';
import { entityTag, isMatch } from './entityTags.ts';
import type { ApiEvent, Caller, Middleware } from './event.ts';
import { linkHeader, type Pagination, urlOf } from './links.ts';
import { ReplayedAnswer } from './replayed.ts';

/** Derives each header from the answer. An operation declares only headers whose fields its answer has. */
const derivations: Record<ResponseHeader, (event: ApiEvent, body: unknown) => string> = {
  Location: (event, body) => `${urlOf(event)}/${(body as { id: string }).id}`,
  ETag: (_, body) => entityTag(versionOf(body)),
  Link: (event, body) => linkHeader(event, (body as { pagination: Pagination }).pagination),
};

const versionOf = (body: unknown): number => (body as { version: number }).version;

/** Whether the key of the request may read the body of the answer. */
const isShown = ({ bodyScope }: Operation['success'], { caller }: ApiEvent): boolean =>
  allows((caller as Caller).access, bodyScope ?? null);

/** Turns the handler's result into the answer that the operation declares. */
export const jsonAnswer = ({ success }: Operation): Middleware => ({
  after: function jsonAnswerAfter(request) {
    const returned = request.response as unknown;
    const body = returned instanceof ReplayedAnswer ? returned.body : returned;
    const declared = (success.headers ?? []).map((name) => [name, derivations[name](request.event, body)]);
    if (success.status === 204 || !isShown(success, request.event)) {
      request.response = { statusCode: 204, headers: Object.fromEntries(declared), body: '' };
      return;
    }
    const headers = Object.fromEntries(declared);
    if (returned instanceof ReplayedAnswer) headers['Idempotent-Replayed'] = 'true';
    const { ifNoneMatch } = request.event.requestHeaders ?? {};
    request.response =
      ifNoneMatch && isMatch(ifNoneMatch, versionOf(body), 'weak')
        ? { statusCode: 304, headers, body: '' }
        : {
            statusCode: success.status,
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          };
  },
});

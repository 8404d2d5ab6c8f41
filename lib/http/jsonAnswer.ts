import { allows } from '../keys/access.ts';
import type { BaseOperation, ResponseHeader } from '../resources/operation.ts';
import { CreatedAnswer } from './createdAnswer.ts';
import { entityTag, isMatch } from './entityTags.ts';
import type { ApiEvent, Caller, Middleware } from './event.ts';
import { type ListAnswer, linkHeader } from './links/linkHeader.ts';
import { recordUrl } from './links/urls.ts';
import { ReplayedAnswer } from './replayed.ts';

/** Derives each header from the answer. An operation declares only headers whose fields its answer has. */
const derivations: Record<
  ResponseHeader,
  (operation: BaseOperation, event: ApiEvent, body: unknown) => string
> = {
  Location: (operation, event, body) => recordUrl(operation, event, (body as { id: string }).id),
  ETag: (_, __, body) => entityTag(versionOf(body)),
  Link: (operation, event, body) => linkHeader(operation, event, body as ListAnswer),
};

const versionOf = (body: unknown): number => (body as { version: number }).version;

/** Whether the key of the request may read the body of the answer. */
const isShown = ({ bodyScope }: BaseOperation['success'], { caller }: ApiEvent): boolean =>
  bodyScope === undefined || allows((caller as Caller).access, bodyScope);

/** Turns the handler's result into the answer that the operation declares. */
export const jsonAnswer = (operation: BaseOperation): Middleware => ({
  after: function jsonAnswerAfter(request) {
    const { success, method } = operation;
    const returned = request.response as unknown;
    const isCreated = returned instanceof CreatedAnswer;
    const body = isCreated || returned instanceof ReplayedAnswer ? returned.body : returned;
    const declared = (success.headers ?? []).map(
      (name) => [name, derivations[name](operation, request.event, body)] as const,
    );
    if (success.status === 204 || (!isCreated && !isShown(success, request.event))) {
      // An address holds the id, which is a part of the body.
      const kept = declared.filter(([name]) => name !== 'Location');
      request.response = { statusCode: 204, headers: Object.fromEntries(kept), body: '' };
      return;
    }
    const headers: Record<string, string> = Object.fromEntries(declared);
    if (returned instanceof ReplayedAnswer) headers['Idempotent-Replayed'] = 'true';
    const { ifNoneMatch } = request.event.requestHeaders ?? {};
    request.response =
      method === 'GET' && ifNoneMatch && isMatch(ifNoneMatch, versionOf(body), 'weak')
        ? { statusCode: 304, headers, body: '' }
        : {
            statusCode: isCreated ? 201 : success.status,
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          };
  },
});

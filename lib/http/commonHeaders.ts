import { answerHeaders, requestIdHeader } from '../contract/answer.ts';
import type { ApiRequest, Middleware } from './event.ts';

/** Adds the headers of every answer, errors included. */
export const commonHeaders = (): Middleware => ({
  after: function commonHeadersAfter(request) {
    add(request);
  },
  onError: function commonHeadersOnError(request) {
    add(request);
  },
});

function add({ event, response }: ApiRequest): void {
  if (!response) return;
  response.headers = {
    ...response.headers,
    ...answerHeaders,
    [requestIdHeader]: event.requestContext?.requestId ?? '',
  };
}

import { answerHeaders, requestIdHeader } from '../contract/answer.ts';
import type { ApiRequest, Middleware } from './event.ts';

/** Adds the headers that every answer has, good or bad. */
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

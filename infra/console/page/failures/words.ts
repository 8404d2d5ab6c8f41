import type { FailedRequest } from '../../../../lib/contract/console/usage.ts';

/** Why the gateway or the authorizer has refused a request, which no function has seen. */
const reasons: Record<number, string> = {
  403: 'The key lacks the scope of this operation, or its account is suspended.',
  413: 'The body is larger than 6 MB.',
  415: 'The body is compressed in a way that is not known here.',
  429: 'Too many requests at once.',
  504: 'It took too long.',
};

/** What is known of a failed request whose problems are not. */
export const reasonOf = ({ status, message }: Pick<FailedRequest, 'status' | 'message'>): string =>
  message ??
  reasons[status] ??
  (status >= 500 ? 'Something went wrong on our side.' : 'The answer named the reason, which is not kept.');

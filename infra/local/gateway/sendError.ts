import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { answerHeaders, requestIdHeader } from '../../../lib/contract/answer.ts';
import { type ErrorStatus, errorBody } from '../../../lib/errors/apiError.ts';

export interface ErrorResponse {
  status: ErrorStatus;
  message: string;
}

/** Answers with an error in the shape of this API. Node reads and drops the rest of the body, so the client gets the answer. */
export function sendError(response: ServerResponse, { status, message }: ErrorResponse): void {
  const body = JSON.stringify(errorBody(status, message));
  const headers = { ...answerHeaders, [requestIdHeader]: randomUUID(), 'Content-Type': 'application/json' };
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

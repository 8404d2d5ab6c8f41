import type { APIGatewayProxyEvent } from 'aws-lambda';
import {
  ApiError,
  badRequest,
  type ErrorBody,
  errorBody,
  forbidden,
  internal,
} from '../../../lib/errors/apiError.ts';
import { allows } from '../../../lib/keys/access.ts';
import type { ListQuery } from '../../../lib/lists/conditions.ts';
import { listMatching } from '../../../lib/lists/list.ts';
import { inAccount } from '../../../lib/records/keys.ts';
import { contacts, listContacts } from '../../../lib/resources/contacts.ts';
import { problemsOf } from '../../../lib/values/problemMessages.ts';

// The work of a list of contacts apart from the framework. Every handler that the warm bench compares does exactly this.

type RequestContext = APIGatewayProxyEvent['requestContext'];

/** @returns the account of the contacts */
export const accountOf = ({ authorizer }: RequestContext): string => authorizer?.account_id as string;

/** @throws ApiError 403 */
export function assertScope({ authorizer }: RequestContext): void {
  const { access, scopes = '' } = authorizer ?? {};
  const may = access === 'full' ? { kind: access } : { kind: 'scoped' as const, scopes: scopes.split(' ') };
  if (!allows(may, listContacts.scope)) throw forbidden(listContacts.scope);
}

/** @throws ApiError 400 */
export function pageOf(query: Record<string, unknown>): ListQuery {
  const { data, error } = listContacts.query().safeParse(query);
  if (error) throw badRequest(problemsOf(error));
  return data as ListQuery;
}

export const list = (account: string, page: ListQuery) => listMatching(inAccount(contacts, account), page);

/** The answer to an error. */
export function answerTo(error: unknown): { status: number; body: ErrorBody } {
  const { status, message } = error instanceof ApiError ? error : internal(undefined);
  return { status, body: errorBody(status, message) };
}

import type * as z from 'zod';
import type { cutEntries } from '../schemas/cutEntries.ts';
import type { Scope } from './index.ts';

/** The scope that a key needs: this one, one of these, or none. */
export type NeededScope = Scope | readonly [Scope, ...Scope[]] | null;

type LazySchema = () => z.ZodType;

/**
 * The request headers that change the response. Only a client that sends one gets 304, 412 or 422.
 * Idempotency-Key: repeated requests have one effect and the same response.
 * If-Match: changes only the version that the client names.
 * If-None-Match: does not return or replace a version that the client names.
 */
export type RequestHeader = 'Idempotency-Key' | 'If-Match' | 'If-None-Match';

/** The longest Idempotency-Key. */
export const idempotencyKeyMax = 255;

/** The longest If-Match or If-None-Match, over all headers with the same name together. */
export const entityTagsMax = 1024;

/** The headers that a response can have in addition to those of every response. */
export type ResponseHeader = 'Location' | 'ETag' | 'Link';

/** The fields that operations of the public API and of the console share. */
export interface BaseOperation {
  /** The name of the operation everywhere, including its file. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path after the version, with `{name}` for a path parameter: `/contacts/{contactId}`. */
  path: `/${string}`;
  /** The path parameters that are not our ids. An invalid one returns 400, while an unknown id of ours returns 404. */
  params?: LazySchema;
  /** The query parameters. If undefined, the operation takes none. */
  query?: () => z.ZodObject;
  /** The JSON object in the request body. If undefined, the operation takes none. */
  body?: LazySchema;
  /** Whether the body may be left out. It then counts as `{}`. */
  bodyMayBeLeftOut?: boolean;
  /** The most bytes of the body, if this exceeds the usual limit. */
  bodyBytesMax?: number;
  /** The list in the body whose entries are validated independently. `cut` is part of this field, so that no other bundle contains it. */
  batch?: { list: string; cut: typeof cutEntries };
  requestHeaders?: readonly RequestHeader[];
  /** Whether the request returns 409 while another one of its kind is in progress. */
  mayConflict?: true;
  /** The timeout, if it is longer than the usual one. API Gateway waits for at most 29 seconds. */
  timeoutSeconds?: number;
  /** The schema of the response body is in lib/contract/responses.ts, which no bundle contains. A 204 has no body. */
  success: {
    status: 200 | 201 | 202 | 204;
    /** Whether the operation may create the record. Its status is then 201, and every key gets the body. */
    created?: boolean;
    /** The scope that a key needs to get the body. A key without it gets 204 with the same headers, except `Location`. */
    bodyScope?: Scope;
    headers?: readonly ResponseHeader[];
    /** The path of the records that `Location` names, if it is not the first part of the operation's path. */
    collection?: `/${string}`;
  };
}

/** One operation of the public API, for CDK, the handler, the reference and tests: `functions/<first part of the path>/<id>.ts`. */
export interface Operation extends BaseOperation {
  summary: string;
  /** The scope that a scoped key needs, or several scopes of which it needs one. `null` means that any valid key may call it. */
  scope: NeededScope;
  /** Whether the response to an external id of another record contains that record's address in `Location`, for keys that may read it. */
  namesOwner?: boolean;
}

/**
 * Declares an operation. It keeps the exact type, so that a handler knows its parameters, its input and its response. Calls that declare
 * records and operations are marked as pure, so that a bundle leaves out those that its Lambda does not use.
 */
export const operation = <const O extends Operation>(declared: O): O => declared;

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

type ParsedBy<Schema> = Schema extends () => infer Type
  ? Type extends z.ZodType
    ? z.output<Type>
    : never
  : undefined;

/** The path parameters of an operation, by name, decoded. */
export type Params<O extends BaseOperation> = Record<ParameterNames<O['path']>, string>;

/** The query parameters, parsed and with their defaults; `undefined` for an operation without any. */
export type Query<O extends BaseOperation> = ParsedBy<O['query']>;

/** The request body, parsed; `undefined` for an operation without one. */
export type Body<O extends BaseOperation> = ParsedBy<O['body']>;

import type * as z from 'zod';
import type { cutEntries } from '../values/entries.ts';
import type { Scope } from './index.ts';

/** The scope that a key needs: this one, one of these, or none. */
export type NeededScope = Scope | readonly [Scope, ...Scope[]] | null;

type LazySchema = () => z.ZodType;

/**
 * The headers of a request that change its answer. Only a client that sends one gets 304, 412 or 422.
 * Idempotency-Key: a repeated request has one effect, and the same answer.
 * If-Match: only the version that the client names is changed.
 * If-None-Match: a version that the client names is not sent again, and not replaced.
 */
export type RequestHeader = 'Idempotency-Key' | 'If-Match' | 'If-None-Match';

/** How long an Idempotency-Key may be. */
export const idempotencyKeyMax = 255;

/** How long an If-Match or If-None-Match may be, in all headers of the name together. */
export const entityTagsMax = 1024;

/** The headers that an answer can have in addition to those of every answer. */
export type ResponseHeader = 'Location' | 'ETag' | 'Link';

/** The part that operations of the public API and of the console share. */
export interface BaseOperation {
  /** Names the operation everywhere, and its file. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the version, with `{name}` for a path parameter: `/contacts/{contactId}`. */
  path: `/${string}`;
  /** The parameters of the path that are not ids of ours. An invalid one is 400; an unknown id of ours is 404. */
  params?: LazySchema;
  /** The query parameters; without it the operation takes none. */
  query?: () => z.ZodObject;
  /** The JSON object in the request's body; without it the operation takes none. */
  body?: LazySchema;
  /** Whether the body may be left out. Then it counts as `{}`. */
  bodyMayBeLeftOut?: boolean;
  /** The most bytes of the body, when they are more than the usual ones. */
  bodyBytesMax?: number;
  /** The list of the body whose entries are refused each for itself. `cut` is here, so that no other bundle holds it. */
  batch?: { list: string; cut: typeof cutEntries };
  requestHeaders?: readonly RequestHeader[];
  /** Whether the request is refused (409) while another one of its kind is under way. */
  mayConflict?: true;
  /** Its timeout, when it is longer than the usual one. API Gateway waits for 29 seconds at most. */
  timeoutSeconds?: number;
  /** The body of the response is in lib/contract/responses.ts, which no bundle has; 204 has none. */
  success: {
    status: 200 | 201 | 202 | 204;
    /** Whether the operation may create the record. Then its status is 201, and every key gets the body. */
    created?: boolean;
    /** The scope that a key needs to get the body; without it, the answer is 204 with the same headers, but for `Location`. */
    bodyScope?: Scope;
    headers?: readonly ResponseHeader[];
    /** The path of the records that `Location` names, when it is not the first part of the operation's path. */
    collection?: `/${string}`;
  };
}

/** One operation of the public API, for CDK, the handler, the reference and the tests. Its file: `functions/<first part of the path>/<id>.ts`. */
export interface Operation extends BaseOperation {
  summary: string;
  /** The scope a scoped key needs, or several of which it needs one; `null` means that any valid key may call it. */
  scope: NeededScope;
  /**
   * Whether an external id that belongs to another record is refused with the address of that record in `Location`, for a key
   * that may read it.
   */
  namesOwner?: boolean;
}

/**
 * Declares an operation and keeps its exact type, so that a handler knows its parameters, its input and its answer. The calls that
 * declare records and their operations are marked as pure: a bundle leaves out those that its Lambda does not use.
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

/** The query parameters, parsed and with their defaults; `undefined` for an operation that takes none. */
export type Query<O extends BaseOperation> = ParsedBy<O['query']>;

/** The request body, parsed; `undefined` for an operation that takes none. */
export type Body<O extends BaseOperation> = ParsedBy<O['body']>;

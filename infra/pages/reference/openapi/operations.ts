import { type AnyOperation, operations } from '../../../../lib/contract/index.ts';
import { responseOf } from '../../../../lib/contract/responses.ts';
import type { Scope } from '../../../../lib/resources/index.ts';
import type { NeededScope, Operation } from '../../../../lib/resources/operation.ts';
import { bodyExamples } from '../prose/bodies.ts';
import { operationNotes } from '../prose/operations.ts';
import { refTo } from './componentSchema.ts';
import { componentOf } from './components.ts';
import { errorsOf } from './errorResponses.ts';
import { headersOf } from './headers.ts';
import type { Json } from './jsonSchema.ts';
import { parametersOf } from './parameters.ts';

export const securityScheme = 'ApiKey';

function requestBodyOf(operation: AnyOperation): Json {
  if (!('body' in operation)) return {};
  const { id, body, bodyMayBeLeftOut }: typeof operation & Operation = operation;
  const schema = refTo(componentOf(body, `The body of ${id}`));
  const content = { 'application/json': { schema, example: bodyExamples[id] } };
  return { requestBody: { required: !bodyMayBeLeftOut, content } };
}

function contentOf(operation: Operation): Json {
  const body = responseOf(operation);
  if (!body) return {};
  // The schema contains the example.
  const schema = refTo(componentOf(body, `The response of ${operation.id}`));
  return { content: { 'application/json': { schema } } };
}

function responsesOf(operation: AnyOperation, description: string): Json {
  const { method, success, requestHeaders = [] }: Operation = operation;
  const own = success.headers ?? [];
  const replayed = requestHeaders.includes('Idempotency-Key') ? ['Idempotent-Replayed'] : [];
  return {
    [success.status]: { description, headers: headersOf([...own, ...replayed]), ...contentOf(operation) },
    ...(success.created
      ? { 201: { description: createdNote, headers: headersOf(own), ...contentOf(operation) } }
      : {}),
    ...(success.bodyScope
      ? {
          204: {
            description: unreadNote(success.bodyScope),
            // Location contains the id, which is a part of the omitted body.
            headers: headersOf(own.filter((name) => name !== 'Location')),
          },
        }
      : {}),
    ...(method === 'GET' && requestHeaders.includes('If-None-Match')
      ? {
          304: {
            description: 'The record has a version that the request names, so there is no body.',
            headers: headersOf(own),
          },
        }
      : {}),
    ...errorsOf(operation),
  };
}

/** Returns the scope in words, because no renderer and few readers show the scopes in `security`. */
function needs(scope: NeededScope): string {
  if (scope === null) return 'Any valid key may call this operation.';
  if (typeof scope === 'string') return `Needs the scope \`${scope}\`.`;
  return `Needs one of the scopes ${scope.map((one) => `\`${one}\``).join(', ')}.`;
}

/** Names the keys that allow an operation, in the form of the document. Each entry alone is enough. */
const securityOf = (scope: NeededScope): Json[] =>
  scope === null ? [{ [securityScheme]: [] }] : [scope].flat().map((one) => ({ [securityScheme]: [one] }));

const createdNote = 'There was no such record, and it has been created.';

const unreadNote = (scope: Scope): string =>
  `The request succeeded. The key lacks the scope \`${scope}\`, so there is no body.`;

function operationObject(
  operation: AnyOperation,
  { tag, description, success }: typeof operationNotes.getMe,
) {
  const { id, summary, scope } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    summary,
    description: `${description}\n\n${needs(scope)}`,
    tags: [tag],
    security: securityOf(scope),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(operation),
    responses: responsesOf(operation, success),
  };
}

/** Returns the operations by path, in the order of the contract. */
export function pathsOf(): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    paths[operation.path] = item;
    item[operation.method.toLowerCase()] = operationObject(operation, operationNotes[operation.id]);
  }
  return paths;
}

import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { openapiFile } from '../../../infra/ops/documents/openapiFiles.ts';
import { knownWords } from '../../../infra/pages/reference/openapi/jsonSchema.ts';
import type { Operation } from '../../../lib/resources/operation.ts';

/** The part that tests use. */
export interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  required?: string[];
  examples?: unknown[];
  [keyword: string]: unknown;
}

interface Content {
  'application/json': { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
}

export interface Header {
  $ref?: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Parameter extends Header {
  name: string;
  description?: string;
  in: string;
  /** Whether each entry of a list is a parameter of its own. */
  explode?: boolean;
}

export interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, Header>;
  content?: Content;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
}

export interface OpenApi {
  info: { version: string; description: string };
  servers: { url: string; description: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: Record<string, { post: OperationObject }>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, Response>;
  };
}

const text = readFileSync(openapiFile, 'utf8');

export const document = JSON.parse(text) as OpenApi;

/** The value at a JSON pointer of a document. */
export const at = (root: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce(
      (value, part) => (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    );

/** The target of a reference, or the value itself. */
export const resolved = <Value extends { $ref?: string }>(value: Value, root: unknown = document): Value =>
  value.$ref === undefined ? value : (at(root, value.$ref.slice(1)) as Value);

const id = 'openapi.json';
const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { 'idn-email': true, iri: true } });
formats.default(ajv);
ajv.addSchema(JSON.parse(text, closed), id, false, false);

/** Clients must accept unknown fields and words, but today's answers must contain none. */
function closed(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Schema;
  if (schema.properties && schema.additionalProperties === true)
    return { ...schema, additionalProperties: false };
  const words = schema[knownWords] as string[] | undefined;
  return words ? { ...schema, enum: [...words, ...(schema.type === 'string' ? [] : [null])] } : value;
}

const validators = new Map<string, ValidateFunction>();

/** A validator for the schema at a pointer of the document. Each is compiled at its first use. */
export function validatorOf(pointer: string): ValidateFunction {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${id}#${pointer}` });
  validators.set(pointer, validate);
  return validate;
}

/** Expects a value to match the schema at a pointer of the document. */
export function expectValid(pointer: string, value: unknown): void {
  const validate = validatorOf(pointer);
  if (!validate(value)) expect.fail(`${pointer}: ${ajv.errorsText(validate.errors)}`);
}

export const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** The JSON pointer for a path in the document, with references resolved. */
export function pointerOf(...parts: string[]): string {
  const pointer = parts.map((part) => `/${escaped(part)}`).join('');
  return (at(document, pointer) as { $ref?: string } | undefined)?.$ref?.slice(1) ?? pointer;
}

const errorSchema = '/components/schemas/ErrorBody';
const content = '/content/application~1json/schema';

interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Expects the status, headers and body of an answer to be documented. */
export function expectDocumented(operation: Operation, reply: Answered): void {
  // An invalid path of a test leads to no route, or to another operation, which answers 404.
  const hasIds = operation.path.includes('{') && !operation.params;
  if (reply.status === 404 && !hasIds) expectValid(errorSchema, reply.body);
  else expectOf(operation, reply);
}

function expectOf({ id: name, method, path }: Operation, { status, headers, body }: Answered): void {
  const pointer = pointerOf('paths', path, method.toLowerCase(), 'responses', String(status));
  const response = at(document, pointer) as Response | undefined;
  if (!response) expect.fail(`The document does not say that ${name} can answer ${status}`);
  for (const header of Object.keys(document.components.headers)) {
    const declared = response.headers?.[header];
    const value = headers.get(header);
    if (!declared) expect(value, `${header} is not documented for ${name} ${status}`).toBeNull();
    else if (value !== null) expectValid(`${pointerOf('components', 'headers', header)}/schema`, value);
    else expect(resolved(declared).required, `${header} of ${name} ${status}`).not.toBe(true);
  }
  if (response.content) expectValid(pointer + content, body);
  else expect(body).toBe('');
}

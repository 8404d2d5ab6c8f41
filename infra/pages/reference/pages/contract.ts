// The parts of the OpenAPI document that the pages show.

export interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  enum?: unknown[];
  examples?: unknown[];
  [keyword: string]: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

interface Content {
  'application/json': { schema: Schema; example?: unknown; examples?: Record<string, Example> };
}

export interface Example {
  summary: string;
  value: unknown;
}

export interface Answer {
  description: string;
  headers?: Record<string, { $ref?: string; description?: string }>;
  content?: Content;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: [string];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Answer>;
}

export interface Server {
  url: string;
  description: string;
}

export interface Contract {
  info: { title: string; version: string; description: string };
  servers: Server[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: Record<string, Record<string, unknown>>;
}

/** An operation with its path and method. */
export interface Placed extends Operation {
  method: string;
  path: string;
}

/** Reads a document, and resolves references to anything but schemas. */
export function readContract(text: string): Contract {
  const contract = JSON.parse(text) as Contract;
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as Schema;
    const [, , kind, name] = $ref?.split('/') ?? [];
    if (kind !== undefined && name !== undefined && kind !== 'schemas')
      return resolve(contract.components[kind]?.[name]);
    if (Array.isArray(value)) return value.map(resolve);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  return {
    ...contract,
    paths: resolve(contract.paths) as Contract['paths'],
    webhooks: resolve(contract.webhooks) as Contract['webhooks'],
  };
}

/** Returns the operations, in the order of the document. */
export const operationsOf = ({ paths }: Contract): Placed[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** Returns the component that a schema refers to, or the schema itself. */
export const schemaIn = ({ components }: Contract, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas?.[nameOf(schema) as string] as Schema);

/** The example of a body. */
export function exampleOf(contract: Contract, content: Content | undefined): unknown {
  const { schema, example } = content?.['application/json'] ?? {};
  return example ?? (schema && schemaIn(contract, schema).examples?.[0]);
}

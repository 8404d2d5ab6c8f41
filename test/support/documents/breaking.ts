import { type OpenApi, type OperationObject, type Parameter, resolved, type Schema } from './openapi.ts';

/** The direction of a value. Later releases may accept more in a request, and may add to an answer. */
type Way = 'request' | 'answer';

type Words = readonly unknown[];

/** Two releases of the contract, the earlier one first. */
interface Roots {
  before: OpenApi;
  after: OpenApi;
}

const without = (these: Words, those: Words): unknown[] => these.filter((one) => !those.includes(one));

/** The types that a schema names, or those of the forms that it is one of. */
const typesOf = ({ type, anyOf = [] }: Schema, root: OpenApi): string[] =>
  type === undefined ? anyOf.flatMap((form) => typesOf(resolved(form, root), root)) : [type].flat();

const wordsOf = (schema: Schema): Words | undefined =>
  'const' in schema ? [schema.const] : (schema.enum as Words | undefined);

/** The limits of a schema, and whether a lower value is stricter. */
const limits = {
  maxLength: -1,
  maximum: -1,
  maxItems: -1,
  maxProperties: -1,
  minLength: 1,
  minimum: 1,
  minItems: 1,
};

const isClosed = (schema: Schema): boolean =>
  schema.additionalProperties === false || schema.unevaluatedProperties === false;

function* narrowed(before: Schema, after: Schema, where: string): Generator<string> {
  const [words, gone] = [wordsOf(after), without(wordsOf(before) ?? [], wordsOf(after) ?? [])];
  if (words && (!wordsOf(before) || gone.length > 0)) yield `${where} takes fewer words`;
  for (const [name, sign] of Object.entries(limits)) {
    const [old, now] = [before[name], after[name]] as [number | undefined, number | undefined];
    if (now !== undefined && (now - (old ?? -sign * Number.POSITIVE_INFINITY)) * sign > 0)
      yield `${where} has a narrower ${name}`;
  }
  if (after.pattern !== undefined && after.pattern !== before.pattern) yield `${where} has another pattern`;
  if (isClosed(after) && !isClosed(before)) yield `${where} takes no unknown fields any more`;
}

function* typesChanged(
  before: Schema,
  after: Schema,
  way: Way,
  where: string,
  roots: Roots,
): Generator<string> {
  const [old, now] = [typesOf(before, roots.before), typesOf(after, roots.after)];
  const gone = way === 'request' ? without(old, now) : without(now, old);
  if (gone.length > 0 || (old.length === 0) !== (now.length === 0)) yield `${where} has another type`;
  if (before.format !== after.format) yield `${where} has another format`;
  if (way === 'answer' && 'const' in before && before.const !== after.const)
    yield `${where} has another value`;
}

function* propertiesChanged(
  before: Schema,
  after: Schema,
  way: Way,
  where: string,
  roots: Roots,
): Generator<string> {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  for (const [name, schema] of Object.entries(old)) {
    const kept = now[name];
    if (kept) yield* schemaChanges(schema, kept, way, `${where}.${name}`, roots);
    else yield `${where}.${name} is gone`;
  }
  const [must, mustNow] = [before.required ?? [], after.required ?? []];
  if (way === 'request') for (const name of without(mustNow, must)) yield `${where}.${name} became required`;
  else
    for (const name of without(must, mustNow)) if (`${name}` in now) yield `${where}.${name} may be missing`;
}

function* schemaChanges(a: Schema, b: Schema, way: Way, where: string, roots: Roots): Generator<string> {
  const [before, after] = [resolved(a, roots.before), resolved(b, roots.after)];
  yield* typesChanged(before, after, way, where, roots);
  if (way === 'request') yield* narrowed(before, after, where);
  yield* propertiesChanged(before, after, way, where, roots);
  if (before.items && after.items) yield* schemaChanges(before.items, after.items, way, `${where}[]`, roots);
  for (const name of ['anyOf', 'allOf'] as const) {
    const [old, now] = [before[name] ?? [], after[name] ?? []];
    const isNarrower = way === 'request' ? now.length < old.length : now.length > old.length;
    if (name === 'anyOf' ? isNarrower : old.length !== now.length) yield `${where} has other forms`;
    for (const [index, one] of old.entries())
      yield* schemaChanges(
        one,
        now[index] ?? one,
        way,
        where,
        now[index] ? roots : { ...roots, after: roots.before },
      );
  }
}

function* parameterChanges(
  before: OperationObject,
  after: OperationObject,
  way: Way,
  where: string,
  roots: Roots,
): Generator<string> {
  const named = ({ parameters = [] }: OperationObject, root: OpenApi) =>
    new Map(parameters.map((one) => resolved(one, root)).map((one) => [one.name, one]));
  const [old, now] = [named(before, roots.before), named(after, roots.after)];
  for (const [name, { schema, required }] of old) {
    const kept = now.get(name) as Parameter | undefined;
    if (!kept) yield `${where} ${name} is gone`;
    else yield* schemaChanges(schema, kept.schema, way, `${where} ${name}`, roots);
    if (kept && way === 'request' && kept.required && !required) yield `${where} ${name} became required`;
    if (kept && kept.schema.default !== schema.default) yield `${where} ${name} has another default`;
  }
  for (const [name, { required }] of now)
    if (way === 'request' && required && !old.has(name)) yield `${where} ${name} became required`;
}

function* bodyChanges(
  before: OperationObject,
  after: OperationObject,
  way: Way,
  where: string,
  roots: Roots,
): Generator<string> {
  const [old, now] = [before.requestBody, after.requestBody];
  // A request may get a body that can be left out: older clients leave it out.
  const isBroken = way === 'request' ? (old && !now) || (!old?.required && now?.required) : !old !== !now;
  if (isBroken) yield `${where} has a body to send where it had none, or none where it had one`;
  if (old && now)
    yield* schemaChanges(
      old.content['application/json'].schema,
      now.content['application/json'].schema,
      way,
      `${where} body`,
      roots,
    );
}

function* responseChanges(
  before: OperationObject,
  after: OperationObject,
  where: string,
  roots: Roots,
): Generator<string> {
  for (const [status, answer] of Object.entries(before.responses)) {
    const answerName = `${where} ${status}`;
    const now = after.responses[status];
    if (!now) {
      yield `${answerName} is gone`;
      continue;
    }
    const [a, b] = [resolved(answer, roots.before), resolved(now, roots.after)];
    for (const name of without(Object.keys(a.headers ?? {}), Object.keys(b.headers ?? {})))
      yield `${answerName} ${name} is gone`;
    const [old, body] = [a.content?.['application/json'].schema, b.content?.['application/json'].schema];
    if (old && body) yield* schemaChanges(old, body, 'answer', `${answerName} body`, roots);
    else if (old) yield `${answerName} has no body any more`;
  }
}

function* operationChanges(before: OperationObject, after: OperationObject, roots: Roots): Generator<string> {
  const { operationId: id } = before;
  if (after.operationId !== id) yield `${id} has another name`;
  if (JSON.stringify(after.security) !== JSON.stringify(before.security)) yield `${id} needs another scope`;
  yield* parameterChanges(before, after, 'request', id, roots);
  yield* bodyChanges(before, after, 'request', id, roots);
  yield* responseChanges(before, after, id, roots);
}

/** The changes in the second document that can break a client or a webhook receiver which follows the first. */
export function* breakingChanges(before: OpenApi, after: OpenApi): Generator<string> {
  const roots = { before, after };
  for (const [path, item] of Object.entries(before.paths))
    for (const [method, operation] of Object.entries(item)) {
      const now = after.paths[path]?.[method];
      if (now) yield* operationChanges(operation, now, roots);
      else yield `${operation.operationId} is gone`;
    }
  for (const [type, { post }] of Object.entries(before.webhooks)) {
    const now = after.webhooks[type]?.post;
    if (!now) yield `${type} is gone`;
    else {
      yield* parameterChanges(post, now, 'answer', type, roots);
      yield* bodyChanges(post, now, 'answer', type, roots);
    }
  }
}

// The operations with which clients write the records of a resource. Each is derived from the declaration of the resource. Each is an export of
// its own, so that a bundle contains only those that its Lambda serves.
import type * as z from 'zod';
import { batchBytesMax, batchOf, type RefusedEntry } from '../schemas/batch.ts';
import { cutEntries } from '../schemas/cutEntries.ts';
import { lazy } from '../schemas/lazy.ts';
import { object } from '../schemas/structure.ts';
import { externalId } from '../schemas/texts.ts';
import type { Fields, OptionalOf, ValuesOf } from './field.ts';
import { patchOf, sentOf } from './fieldSchemas.ts';
import { type Resource, type ResourceType, resources, type Scope } from './index.ts';
import type { Operation } from './operation.ts';
import type { Shaped } from './resource.ts';

/** The types whose records clients write: the types with a write scope. */
export type WritableType = {
  [Type in ResourceType]: Resource<Type>['scopes'] extends readonly [string, string, ...string[]]
    ? Type
    : never;
}[ResourceType];

type Pascal<Text extends string> = Text extends `${infer Word}${'_' | '-'}${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Text>;
type Snake<Text extends string> = Text extends `${infer Word}-${infer Rest}`
  ? `${Word}_${Snake<Rest>}`
  : Text;
type Path<Type extends ResourceType> = Resource<Type>['path'];
type ScopeTo<Type extends ResourceType, Action extends string> = Extract<
  Resource<Type>['scopes'][number],
  `${string}:${Action}`
>;

/** The ids of the operations with which clients write records of a type. */
export type WriteId<Type extends ResourceType> =
  | `${'create' | 'update' | 'upsert' | 'delete'}${Pascal<Type>}`
  | `batchUpsert${Pascal<Path<Type>>}`;

/** A resource that clients write. All required fields must be writable, because a record cannot be created without them. */
type Written<Type extends ResourceType, F extends Fields, W extends string> = Shaped<F, W> & {
  type: Type;
} & (Exclude<keyof F, OptionalOf<F> | W> extends never
    ? unknown
    : { 'a required field must be writable': never });

/** The operation that reads a record. The others share its path, and a key that may not read gets no body. */
type Read = Operation & { path: `/${string}`; scope: Scope };

const pascal = (text: string): string =>
  text.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the names and words of a type's operations. */
function namesOf<Type extends ResourceType>({ type }: { type: Type }) {
  const { path, scopes } = resources[type];
  const one = type.replaceAll('_', ' ');
  return {
    One: pascal(type) as Pascal<Type>,
    Many: pascal(path) as Pascal<Path<Type>>,
    path: `/${path}` as `/${Path<Type>}`,
    list: path.replaceAll('-', '_') as Snake<Path<Type>>,
    scopeTo: <Action extends string>(action: Action) =>
      (scopes as readonly string[]).find((scope) => scope.endsWith(`:${action}`)) as ScopeTo<Type, Action>,
    aOne: `${/^[aeio]/.test(one) ? 'an' : 'a'} ${one}`,
    many: path.replaceAll('-', ' '),
  };
}

export const createOf = <Type extends WritableType, F extends Fields, W extends string>(
  written: Written<Type, F, W>,
) => {
  const { One, path, scopeTo, aOne } = namesOf(written);
  return {
    id: `create${One}`,
    method: 'POST',
    path,
    scope: scopeTo('write'),
    summary: `Create ${aOne}`,
    body: lazy(() => sentOf(written, 'new')),
    requestHeaders: ['Idempotency-Key'],
    namesOwner: true,
    success: { status: 201, headers: ['Location', 'ETag'] },
  } as const;
};

export const updateOf = <Type extends WritableType, F extends Fields, W extends string, R extends Read>(
  written: Written<Type, F, W>,
  read: R,
) => {
  const { One, scopeTo, aOne } = namesOf(written);
  return {
    id: `update${One}`,
    method: 'PATCH',
    path: read.path as R['path'],
    scope: scopeTo('write'),
    summary: `Update ${aOne}`,
    body: lazy(() => patchOf(written)),
    requestHeaders: ['If-Match'],
    namesOwner: true,
    success: { status: 200, bodyScope: read.scope, headers: ['ETag'] },
  } as const;
};

/** Returns the operation that creates or replaces a record by its external id. A field that the body leaves out becomes empty. */
export const upsertOf = <Type extends WritableType, F extends Fields, W extends string, R extends Read>(
  written: Written<Type, F, W>,
  read: R,
) => {
  const { One, path, scopeTo, aOne } = namesOf(written);
  return {
    id: `upsert${One}`,
    method: 'PUT',
    path: `${path}/by-external-id/{externalId}`,
    scope: scopeTo('write'),
    summary: `Upsert ${aOne}`,
    params: lazy(() => object({ externalId: externalId() })),
    body: lazy(() => sentOf(written, 'named')),
    requestHeaders: ['If-Match', 'If-None-Match'],
    success: { status: 200, created: true, bodyScope: read.scope, headers: ['Location', 'ETag'] },
  } as const;
};

type Entry<F extends Fields> = ValuesOf<F> & { external_id: string };

export const batchUpsertOf = <Type extends WritableType, F extends Fields, W extends string>(
  written: Written<Type, F, W>,
) => {
  const { Many, path, scopeTo, list, many } = namesOf(written);
  const entry = () => sentOf(written, 'entry') as unknown as z.ZodType<Entry<Pick<F, W & keyof F>>>;
  return {
    id: `batchUpsert${Many}`,
    method: 'POST',
    path: `${path}/batch`,
    scope: scopeTo('write'),
    summary: `Upsert many ${many}`,
    body: lazy(
      () =>
        object({ [list]: batchOf(entry()) }) as unknown as z.ZodType<
          Record<typeof list, (Entry<Pick<F, W & keyof F>> | RefusedEntry)[]>
        >,
    ),
    bodyBytesMax: batchBytesMax,
    batch: { list, cut: cutEntries },
    success: { status: 200 },
  } as const;
};

/** Returns the operation that deletes a record, for a resource whose records clients may delete with a scope of its own. */
export const deleteOf = <Type extends WritableType, R extends Read>({ type }: { type: Type }, read: R) => {
  const { One, scopeTo, aOne } = namesOf({ type });
  return {
    id: `delete${One}`,
    method: 'DELETE',
    path: read.path as R['path'],
    scope: scopeTo('delete'),
    summary: `Delete ${aOne}`,
    requestHeaders: ['If-Match'],
    success: { status: 204 },
  } as const;
};

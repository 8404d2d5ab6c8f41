import { exampleDraft } from '../../../infra/pages/reference/exampleDraft.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { documents, type RecordOperation } from '../../../lib/resources/documents.ts';
import { type ResourceType, resourceTypes } from '../../../lib/resources/index.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { type Shaped, writableOf } from '../../../lib/resources/resource.ts';
import { schemas } from '../../../lib/resources/schemas.ts';
import { stored } from './given.ts';

// Records of any resource. They are made of the example in its reference.

export type Draft = Record<string, unknown> & { external_id: string };

let count = 0;

/** A valid record as the product's systems send it. */
export const aRecord = (type: ResourceType, more: object = {}): Draft => ({
  ...exampleDraft(type),
  external_id: `${type}-${++count}`,
  ...more,
});

/** Such a record with a mark in place of every text that may be any text. */
export function aMarkedRecord(type: ResourceType, mark: string): Draft {
  const schema = schemas[type].draft();
  let draft = aRecord(type);
  for (const place of textsIn(draft).filter(([field]) => field !== 'external_id'))
    for (const text of [`${mark}@example.com`, mark]) {
      const marked = withText(draft, place, text) as Draft;
      if (schema.safeParse(marked).success) draft = marked;
    }
  return draft;
}

type Place = readonly (string | number)[];

function textsIn(value: unknown, place: Place = []): Place[] {
  if (typeof value === 'string') return [place];
  if (Array.isArray(value)) return value.flatMap((one, i) => textsIn(one, [...place, i]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, [...place, name]));
}

function withText(value: unknown, [name, ...rest]: Place, text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value)) return value.with(name as number, withText(value[name as number], rest, text));
  return { ...(value as object), [name]: withText((value as Record<string, unknown>)[name], rest, text) };
}

/** Records of a type that are stored as those of messages are. */
export const givenRecords = (type: ResourceType, account: string, drafts: object[]): Promise<Stored[]> =>
  stored(
    inAccount(collectionOf(type), account),
    drafts.map((draft) => schemas[type].draft().parse(draft)),
  );

/** The types whose records name their contact, and can be found by it. */
export const typesOfContacts = resourceTypes.filter((type) =>
  collectionOf(type).filters.values.some(({ name }) => name === 'contact_id'),
);

export type ListOrRead = (typeof documents)[ResourceType]['list' | 'read']['id'];

/** The operations that every resource has: to list its records, and to read one. */
export const listsAndReads = resourceTypes.map((type) => {
  const { list, read }: { list: Operation; read: Operation } = documents[type];
  const [, parameter = ''] = /\{(\w+)\}$/.exec(read.path) ?? [];
  return { type, list, read, paramsOf: (id: string): Record<string, string> => ({ [parameter]: id }) };
});

/** Something for each of these operations. */
export const ofListsAndReads = <Value>(
  ofList: (type: ResourceType) => Value,
  ofRead: (type: ResourceType, paramsOf: (id: string) => Record<string, string>) => Value,
) =>
  Object.fromEntries(
    listsAndReads.flatMap(({ type, list, read, paramsOf }) => [
      [list.id, ofList(type)],
      [read.id, ofRead(type, paramsOf)],
    ]),
  ) as Record<ListOrRead, Value>;

type WriteId = Exclude<RecordOperation['id'], ListOrRead>;
type Write = 'create' | 'update' | 'upsert' | 'batch' | 'delete';

const kindOf = ({ method, batch }: Operation): Write | undefined => {
  if (batch) return 'batch';
  return ({ POST: 'create', PATCH: 'update', PUT: 'upsert', DELETE: 'delete' } as const)[method as 'POST'];
};

/** Something for each operation by which clients write records. */
export const ofWrites = <Value>(of: (kind: Write, type: ResourceType, operation: Operation) => Value) =>
  Object.fromEntries(
    resourceTypes.flatMap((type) =>
      documents[type].operations.flatMap((operation: Operation) => {
        const kind = operation.id in documents[type].operationNotes ? undefined : kindOf(operation);
        return kind === undefined ? [] : [[operation.id, of(kind, type, operation)]];
      }),
    ),
  ) as Record<WriteId, Value>;

/** What clients may write of a record. The ids of other records in it are of no account. */
export function asWritten(type: ResourceType, { external_id, ...draft }: Record<string, unknown>) {
  const fields = writableOf(documents[type].collection as unknown as Shaped);
  const names = Object.entries(fields).filter(([, { is }]) => is !== 'ref');
  return Object.fromEntries(names.flatMap(([name]) => (name in draft ? [[name, draft[name]]] : [])));
}

/** The example of a patch in the reference. */
export const aPatch = (type: ResourceType): object =>
  (documents[type] as { writes?: { patch: object } }).writes?.patch ?? {};

/** Requests that write records, and succeed. */
export const writeRequest =
  (kind: Write, type: ResourceType, operation: Operation, mark: string) => async (account: string) => {
    const draft = aMarkedRecord(type, mark);
    const written = asWritten(type, draft);
    if (kind === 'create') return { body: written };
    const [record] = (await givenRecords(type, account, [draft])) as [Stored];
    const [, parameter = ''] = /\{(\w+)\}$/.exec(operation.path) ?? [];
    if (kind === 'upsert')
      return { params: { [parameter]: draft.external_id }, body: { ...written, ...plain(type) } };
    if (kind === 'batch') {
      const entries = [{ ...written, ...plain(type), external_id: draft.external_id }];
      return {
        body: { [operation.batch?.list as string]: [...entries, { ...written, external_id: 'new' }] },
      };
    }
    const params = { [parameter]: record.id };
    return kind === 'update' ? { params, body: aPatch(type) } : { params };
  };

/** The texts of a patch, which make another record. */
const plain = (type: ResourceType) =>
  Object.fromEntries(Object.entries(aPatch(type)).filter(([, value]) => typeof value === 'string'));

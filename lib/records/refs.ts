// Checks the ids of other records that a client writes into a record. Each must name a record that the account has or once had. A client can
// therefore send back what it read, even if that record has since been deleted.
import { badRequest } from '../errors/apiError.ts';
import { constant, ours } from '../errors/constant.ts';
import { type Problem, problemOf } from '../errors/problem.ts';
import type { Fields } from '../resources/field.ts';
import { type ResourceType, resources, resourceTypes, wordsFor } from '../resources/index.ts';
import type { Shaped } from '../resources/resource.ts';
import { RefusedEntry } from '../schemas/batch.ts';
import { readById, readByIds } from './get.ts';

interface Ref {
  /** The path of the id: `contact_id`, `lines[2].product_id`. */
  path: string;
  type: ResourceType;
  id: string;
}

/** Yields the ids of other records in a content. */
function* refsIn(fields: Fields, content: object, path = ''): Generator<Ref> {
  for (const [name, value] of Object.entries(content)) {
    const field = fields[name];
    if (value === null || !field) continue;
    if (field.is === 'ref') {
      const type = resourceTypes.find((one) => resources[one].prefix === field.to);
      if (type) yield { path: path + name, type, id: value };
    } else if (field.is === 'group') yield* refsIn(field.of, value, `${path}${name}.`);
    else if (field.is === 'list')
      for (const [i, entry] of value.entries()) yield* refsIn(field.of, entry, `${path}${name}[${i}].`);
  }
}

const problemOfRef = ({ path, type }: Ref): Problem =>
  problemOf(
    ours(path),
    constant`must be the id of one of the ${ours(wordsFor(resources[type]))} of this account`,
  );

/** @throws ApiError 400 if a content has the id of a record that the account never had, such as one of another account */
export async function assertRefs({ fields }: Shaped, account: string, content: object): Promise<void> {
  const problems = await Promise.all(
    [...refsIn(fields, content)].map(async (ref) =>
      (await readById({ account, type: ref.type }, ref.id)) ? [] : [problemOfRef(ref)],
    ),
  );
  if (problems.flat().length > 0) throw badRequest(problems.flat());
}

/** Returns the entries of a batch. It refuses entries with the id of a record that the account never had. */
export async function withoutUnknownRefs<Entry extends object>(
  { fields }: Shaped,
  account: string,
  entries: readonly (Entry | RefusedEntry)[],
): Promise<(Entry | RefusedEntry)[]> {
  const refsOf = (entry: Entry | RefusedEntry): Ref[] =>
    entry instanceof RefusedEntry ? [] : [...refsIn(fields, entry)];
  const known = new Set<unknown>();
  for (const [type, refs] of Map.groupBy(entries.flatMap(refsOf), (ref) => ref.type)) {
    const ids = [...new Set(refs.map(({ id }) => id))];
    for (const id of (await readByIds({ account, type }, ids)).keys()) known.add(id);
  }
  return entries.map((entry) => {
    const unknown = refsOf(entry).filter(({ id }) => !known.has(id));
    if (unknown.length === 0) return entry;
    return new RefusedEntry(
      entry,
      unknown.map((ref) => problemOfRef(ref).sentence),
    );
  });
}

import { badRequest, invalidField } from '../errors/apiError.ts';
import { constant, ours, said, theirs } from '../errors/constant.ts';
import { type Problem, problemOf, problemOfNoField } from '../errors/problem.ts';
import { quoted } from '../errors/quoted.ts';
import { type Address, patchedAddress } from '../schemas/addresses.ts';
import { inputProblems } from '../schemas/inputProblems.ts';
import { type CustomFields, mergeCustomFields } from '../schemas/shared.ts';
import { type Content, ofServer, type Stored } from './collection.ts';
import type { Field, Fields } from './field.ts';
import { fieldOf, identifiedRule, isIdentified } from './fieldSchemas.ts';
import { blankOf, blanksOf, type Shaped } from './resource.ts';

type Values = Readonly<Record<string, unknown>>;

const serverRule = /* @__PURE__ */ constant`must be left out or unchanged: only the server changes it`;

/**
 * Returns the content of a record after a merge patch (RFC 7396).
 * @throws ApiError 400 if the parts of the patch are valid but the resulting record is not, or if the patch changes a field of the server
 */
export function patched<R extends Stored>(shaped: Shaped, record: R, patch: object): Content<R> {
  const [before, sent] = [record as unknown as Values, patch as Values];
  const changed = ofServer.filter((name) => name in sent && sent[name] !== before[name]);
  if (changed.length > 0) throw badRequest(changed.map((name) => problemOf(ours(name), serverRule)));
  const after = { ...before, ...merged(shaped.fields, before, sent) };
  const problems = Object.keys(sent).flatMap((name) => incomplete(name, shaped.fields[name], after[name]));
  if (!isIdentified(shaped, after)) problems.push(problemOfNoField(ours(identifiedRule(shaped))));
  if (problems.length > 0) throw badRequest(problems);
  return after as unknown as Content<R>;
}

const merged = (fields: Fields, before: Values, patch: Values): Values =>
  Object.fromEntries(
    Object.entries(patch).flatMap(([name, sent]) => {
      const field = fields[name];
      return field ? [[name, valueAfter(field, before[name], sent)]] : [];
    }),
  );

function valueAfter(field: Field, before: unknown, sent: unknown): unknown {
  if (sent === null) return blankOf(field);
  if (field.is === 'address') return patchedAddress(before as Address | null, sent);
  if (field.is === 'custom') return mergeCustomFields(before as CustomFields, sent as CustomFields);
  if (field.is !== 'group') return sent;
  const whole = { ...blanksOf(field.of), ...(before as Values | null) };
  const after = { ...whole, ...merged(field.of, whole, sent as Values) };
  // In the order of the contract.
  return Object.fromEntries(
    Object.keys(field.of).flatMap((name) => (name in after ? [[name, after[name]]] : [])),
  );
}

/** Returns the problems of required parts that an object lacks, because it was `null` before the patch. */
function incomplete(name: string, field: Field | undefined, after: unknown): Problem[] {
  if (field?.is !== 'group' || after === null || isComplete(field.of, after as Values)) return [];
  const schema = fieldOf(name, field);
  return inputProblems(schema, schema.safeParse({ [name]: after }).error?.issues);
}

const isComplete = (fields: Fields, value: Values): boolean =>
  Object.entries(fields).every(
    ([name, field]) =>
      name in value &&
      (field.is !== 'group' || value[name] === null || isComplete(field.of, value[name] as Values)),
  );

/**
 * Returns the content of the record that a path names by its external id.
 * @throws ApiError 400 if the content has another external id
 */
export function withExternalId<C extends { external_id: string | null }>(
  content: C,
  external_id: string,
): C & { external_id: string } {
  if (content.external_id !== null && content.external_id !== external_id)
    throw invalidField(
      constant`external_id`,
      said`must be left out, or be the one in the path, which is ${theirs(quoted(external_id))}`,
    );
  return { ...content, external_id };
}

// Builds the schemas of a record, of a draft and of a patch from the fields of a resource.
import * as z from 'zod';
import {
  address,
  addressDraft,
  addressPatch,
  snapshotAddress,
  snapshotAddressDraft,
} from '../schemas/addresses.ts';
import * as is from '../schemas/fields.ts';
import { lazy } from '../schemas/lazy.ts';
import { beganBefore, blankTerms, isFound, linkTermsOf, mergeTerms } from '../schemas/mergeTerms.ts';
import { type CustomFields, customFields, customFieldsDraft, serverFields } from '../schemas/shared.ts';
import { completed, list, object, orNull, tags, texts, uniqueBy } from '../schemas/structure.ts';
import { email, externalId, line, lines, snapshotLines, snapshotText, text } from '../schemas/texts.ts';
import { time } from '../schemas/times.ts';
import type { Served } from './collection.ts';
import type { Field, Fields, IsNullable, PlainKind, ValueOf, ValuesOf } from './field.ts';
import { blanksOf, isNullable, mapped, type Shaped, writableOf } from './resource.ts';

/** How each kind is read, and which texts count as no value, in addition to a blank one. */
interface Reading {
  kinds: { [Kind in PlainKind]?: (field: Extract<Field, { is: Kind }>) => z.ZodType };
  nones: { [Kind in PlainKind]?: RegExp };
  /** The kinds that are read differently in a draft. */
  draft: { [Kind in PlainKind]?: () => z.ZodType };
}

function answer() {
  const rule = `must be a string of at most 10000 characters, ${is.numberRule}, true or false, or a list of at most 50 strings`;
  return z.union([lines(), is.decimal(rule), is.boolean(), texts(lines())], { error: rule });
}

const ofAll = () => ({
  ref: ({ to }: { to: string }) => is.id(to),
  externalId,
  id: externalId,
  time,
  amount: () => is.integer({ min: 0 }),
  signed: is.amount,
  quantity: is.quantity,
  flag: is.boolean,
  custom: customFields,
  tags,
  currency: is.currency,
  url: is.webAddress,
  answer,
});

/** Returns the schemas of a resource that clients write. They check its input. */
export const own = (): Reading => ({
  kinds: {
    ...ofAll(),
    line,
    lines: () => lines(),
    email,
    phone: () => text(50),
    locale: is.locale,
    timezone: is.timezone,
    address,
  },
  nones: { locale: /^(?:C|POSIX)(?:\..*)?$/i, timezone: /^Etc\/Unknown$/i },
  draft: { address: addressDraft, custom: customFieldsDraft },
});

/** Returns the schemas of a resource that your app sends. They keep text that people once typed unchanged. */
export const snapshot = (): Reading => ({
  kinds: {
    ...ofAll(),
    line: snapshotText,
    lines: snapshotLines,
    email: snapshotText,
    phone: snapshotText,
    locale: snapshotText,
    timezone: snapshotText,
    address: snapshotAddress,
  },
  nones: {},
  draft: { address: snapshotAddressDraft, custom: customFieldsDraft },
});

type Side = 'record' | 'draft';

function valueSchema({ kinds, nones, draft }: Reading, field: Field, side: Side): z.ZodType {
  if (field.is === 'enum') return is.oneOf(...field.of);
  if (field.is === 'group' || field.is === 'list') {
    const stored = object(shapeOf({ kinds, nones, draft }, field.of, side));
    const inner = side === 'draft' ? completed(stored, blanksOf(field.of)) : stored;
    if (field.is === 'group') return inner;
    const all = list(inner, { max: field.max });
    return field.unique === undefined ? all : all.check(uniqueBy(field.unique));
  }
  const make = (side === 'draft' ? draft[field.is] : undefined) ?? kinds[field.is];
  if (!make)
    throw new Error(`The fields of this resource have no kind ${field.is}: add it in fieldSchemas.ts`);
  return make(field as never);
}

function schemaOf(reading: Reading, field: Field, side: Side): z.ZodType {
  const schema = valueSchema(reading, field, side);
  return isNullable(field) ? orNull(schema, reading.nones[field.is as PlainKind]) : schema;
}

const shapeOf = (reading: Reading, fields: Fields, side: Side): Record<string, z.ZodType> =>
  mapped(fields, (field) => schemaOf(reading, field, side));

type Object_<G extends Fields> = z.ZodObject<{ [K in keyof G]: SchemaOf<G[K]> }, z.core.$strict>;
type Present<F extends Field> = F extends { is: 'list'; of: infer G extends Fields }
  ? z.ZodArray<Object_<G>>
  : F extends { is: 'group'; of: infer G extends Fields }
    ? Object_<G>
    : z.ZodType<ValueOf<F>>;
type SchemaOf<F extends Field> = F extends { is: 'group' }
  ? IsNullable<F> extends true
    ? z.ZodNullable<Present<F>>
    : Present<F>
  : Present<F>;

type RecordSchema<F extends Fields> = z.ZodObject<
  { id: z.ZodType<string> } & { [K in keyof F]: SchemaOf<F[K]> } & ReturnType<typeof serverFields>,
  z.core.$strict
>;

export const recordOf = <F extends Fields>({ prefix, fields }: Shaped<F>, reading: () => Reading) =>
  lazy(
    () =>
      object({
        id: is.id(prefix),
        ...shapeOf(reading(), fields, 'record'),
        ...serverFields(),
      }) as unknown as RecordSchema<F>,
  );

/** A rule about the whole record. Its problems are reported at one field. */
export interface Check<F extends Fields> {
  field: keyof F & string;
  rule: string;
  holds: (values: ValuesOf<F>) => boolean;
  hint: (values: ValuesOf<F>) => string;
}

/** Returns the schema of a record as your app sends it. docs/merge.md explains the terms that it may have alongside its fields. */
export const draftOf = <F extends Fields>(
  { prefix, fields }: Shaped<F>,
  reading: () => Reading,
  check?: Check<F>,
) =>
  lazy(() => {
    const links = linkTermsOf(fields);
    const noLinks = Object.fromEntries(Object.keys(links).map((name) => [name, null]));
    const sent = completed(
      object({ ...shapeOf(reading(), fields, 'draft'), ...mergeTerms(prefix), ...links }),
      { ...blanksOf(fields), ...blankTerms, ...noLinks },
      isFound,
      beganBefore,
    );
    const checked = check ? sent.superRefine(checking(check as unknown as Check<Fields>)) : sent;
    return checked as unknown as z.ZodType<
      ValuesOf<F> & z.output<z.ZodObject<ReturnType<typeof mergeTerms>>>
    >;
  });

const checking =
  ({ field, rule, holds, hint }: Check<Fields>) =>
  (values: Record<string, unknown>, { issues }: z.RefinementCtx) => {
    const params = { hint: hint(values as never) };
    if (!holds(values as never))
      issues.push({ code: 'custom', message: rule, path: [field], input: values[field], params });
  };

/** Returns whether a record has at least one of the fields that identify it. */
export const isIdentified = ({ identifiedBy = [] }: Shaped, sent: Record<string, unknown>): boolean =>
  identifiedBy.length === 0 || identifiedBy.some((name) => (sent[name] ?? null) !== null);

export const identifiedRule = ({ identifiedBy = [] }: Shaped): string =>
  `at least one of ${identifiedBy.join(', ')} must be given`;

/** A record as a client sends it: the fields that it may write. */
type Sent<F extends Fields, W extends string> = ValuesOf<Pick<F, W & keyof F>>;

/**
 * Returns the schema of a record as a client sends it. A field that is left out gets its default value.
 * @param as `new`: the record must identify itself; `named`: the path contains its external id; `entry`: the record must have an external id
 */
export function sentOf<F extends Fields, W extends string>(
  shaped: Shaped<F, W>,
  as: 'new' | 'named' | 'entry',
) {
  const fields = writableOf(shaped);
  const required = as === 'entry' ? { external_id: externalId() } : {};
  const blank = Object.entries(blanksOf(fields)).filter(([name]) => !(name in required));
  const whole = object({ ...shapeOf(own(), fields, 'draft'), ...required });
  const identified = {
    holds: (sent: Record<string, unknown>) => isIdentified(shaped, sent),
    rule: identifiedRule(shaped),
  };
  const sent = completed(whole, Object.fromEntries(blank), ...(as === 'new' ? [identified] : []));
  return sent as unknown as z.ZodType<Sent<F, W>>;
}

type Patched<F extends Field> = F extends { is: 'address' }
  ? z.output<ReturnType<typeof addressPatch>>
  : F extends { is: 'custom' }
    ? CustomFields
    : F extends { is: 'group'; of: infer G extends Fields }
      ? PatchOf<G, keyof G>
      : ValueOf<F>;

export type PatchOf<F extends Fields, W> = {
  [K in W & keyof F]?: F[K] extends { required: true } ? Patched<F[K]> : Patched<F[K]> | null;
};

/**
 * Returns the schema of a merge patch (RFC 7396). Left-out fields stay unchanged, and `null` clears a field. Addresses, other objects and
 * custom fields are merged, and lists are replaced. A patch may contain the server's fields unchanged, so that clients can send records as
 * read.
 */
export const patchOf = <F extends Fields, W extends string>(shaped: Shaped<F, W>) =>
  object({
    ...patchShape(writableOf(shaped)),
    id: is.id(shaped.prefix),
    ...serverFields(),
  }).partial() as unknown as z.ZodType<PatchOf<F, W> & Partial<Served>>;

const patchShape = (fields: Fields): Record<string, z.ZodType> => mapped(fields, patchField);

const patchObject = (fields: Fields): z.ZodType => object(patchShape(fields)).partial();

function patchField(field: Field): z.ZodType {
  const parts: { [Kind in Field['is']]?: () => z.ZodType } = { address: addressPatch, custom: customFields };
  const schema =
    field.is === 'group'
      ? patchObject(field.of)
      : (parts[field.is]?.() ?? valueSchema(own(), field, 'draft'));
  return field.required ? schema : orNull(schema, own().nones[field.is as PlainKind]);
}

/** Returns the schema of an object with one field in the form of a draft, with everything that is required. */
export const fieldOf = (name: string, field: Field): z.ZodType =>
  object({ [name]: schemaOf(own(), field, 'draft') });

/** Returns the schemas of objects, list entries and enums in requests, which have names of their own in the document. */
export function inputsOf(field: Field): { draft?: z.ZodType; patch?: z.ZodType } {
  if (field.is === 'enum') return { draft: valueSchema(own(), field, 'draft') };
  if (field.is !== 'group' && field.is !== 'list') return {};
  const draft = completed(object(shapeOf(own(), field.of, 'draft')), blanksOf(field.of));
  // If nothing is required, a patch looks like a draft.
  const hasPatch = field.is === 'group' && Object.values(field.of).some(({ required }) => required);
  return { draft, ...(hasPatch ? { patch: patchObject(field.of) } : {}) };
}

// The schemas of a record, of a draft and of a patch, made of the fields of a resource.
import * as z from 'zod';
import {
  address,
  addressDraft,
  addressPatch,
  snapshotAddress,
  snapshotAddressDraft,
} from '../values/addresses.ts';
import * as is from '../values/fields.ts';
import { lazy } from '../values/lazy.ts';
import {
  type CustomFieldsPatch,
  customFields,
  customFieldsDraft,
  customFieldsPatch,
  decimal,
  numberRule,
  serverFields,
  snapshotFieldsDraft,
} from '../values/shared.ts';
import { blankTerms, isFound, isLinked, statementTerms } from '../values/statement.ts';
import {
  completed,
  emptyOr,
  list,
  type None,
  noAnswer,
  noLanguage,
  noTime,
  nothing,
  object,
  orNull,
  tags,
  texts,
} from '../values/structure.ts';
import { phone } from '../values/texts/phone.ts';
import {
  externalId,
  multilineText,
  snapshotChoice,
  snapshotLines,
  snapshotText,
  snapshotWord,
  text,
} from '../values/texts/texts.ts';
import type { Field, Fields, IsNullable, PlainKind, ValueOf, ValuesOf } from './field.ts';
import { blanksOf, isNullable, mapped, type Shaped } from './resource.ts';

/** How each kind is read, and what stands for no value beside a text without anything to see. */
interface Reading {
  kinds: { [Kind in PlainKind]?: (field: Extract<Field, { is: Kind }>) => z.ZodType };
  nones: { [Kind in PlainKind]?: None };
  /** The kinds that are read differently in a draft. */
  draft: { [Kind in PlainKind]?: () => z.ZodType };
}

function answer() {
  const [max, choiceMax] = [2000, 1000];
  const rule = `must be a string of at most ${max} characters, ${numberRule}, true or false, or a list of at most 50 strings of 1 to ${choiceMax} characters`;
  const kinds = [snapshotLines(max), decimal(rule), is.boolean(), texts(snapshotChoice(choiceMax))] as const;
  return z.union(kinds, { error: rule });
}

const ofAll = () => ({
  ref: ({ to }: { to: string }) => is.id(to),
  externalId,
  timezone: is.timezone,
  time: is.time,
  amount: is.amount,
  signed: is.signedAmount,
  count: () => is.integer({ min: 0 }),
  flag: is.boolean,
  custom: customFields,
  tags,
});

/** Of a resource that clients write: what they send is checked. It has only the kinds that one has, as they take space in its Lambdas. */
export const own = (): Reading => ({
  kinds: {
    ...ofAll(),
    line: ({ max }) => text(max),
    lines: ({ max }) => multilineText(max),
    email: is.email,
    phone,
    locale: is.locale,
    address,
  },
  nones: { email: noAnswer, phone: noAnswer, locale: noLanguage, time: noTime },
  draft: { address: addressDraft, custom: customFieldsDraft },
});

/** Of a resource that the product states: what people once typed stays as it is. */
export const snapshot = (): Reading => ({
  kinds: {
    ...ofAll(),
    line: ({ max }) => snapshotText(max),
    lines: ({ max }) => snapshotLines(max),
    email: () => snapshotWord(320),
    phone: () => snapshotWord(100),
    locale: () => snapshotWord(100),
    currency: is.currency,
    url: is.webAddress,
    answer,
    address: snapshotAddress,
  },
  nones: { url: noAnswer, time: noTime },
  draft: { address: snapshotAddressDraft, custom: snapshotFieldsDraft },
});

type Side = 'record' | 'draft';

function valueSchema({ kinds, nones, draft }: Reading, field: Field, side: Side): z.ZodType {
  if (field.is === 'word') return is.oneOf(...field.of);
  if (field.is === 'group' || field.is === 'list') {
    const stored = object(shapeOf({ kinds, nones, draft }, field.of, side));
    const inner = side === 'draft' ? completed(stored, blanksOf(field.of)) : stored;
    return field.is === 'list' ? list(inner, { max: field.max }) : inner;
  }
  const make = (side === 'draft' ? draft[field.is] : undefined) ?? kinds[field.is];
  if (!make)
    throw new Error(`The fields of this resource have no kind ${field.is}: add it in fieldSchemas.ts`);
  return make(field as never);
}

function schemaOf(reading: Reading, field: Field, side: Side): z.ZodType {
  const schema = valueSchema(reading, field, side);
  if (!isNullable(field))
    return field.is === 'group' && side === 'draft' && !field.required ? emptyOr(schema) : schema;
  if (field.is === 'group') return orNull(schema, side === 'draft' ? nothing : undefined);
  return orNull(schema, reading.nones[field.is as PlainKind]);
}

const shapeOf = (reading: Reading, fields: Fields, side: Side): Record<string, z.ZodType> =>
  mapped(fields, (field) => schemaOf(reading, field, side));

type Object_<G extends Fields> = z.ZodObject<{ [K in keyof G]: SchemaOf<G[K]> }, z.core.$strict>;
type Stated<F extends Field> = F extends { is: 'list'; of: infer G extends Fields }
  ? z.ZodArray<Object_<G>>
  : F extends { is: 'group'; of: infer G extends Fields }
    ? Object_<G>
    : z.ZodType<ValueOf<F>>;
type SchemaOf<F extends Field> = F extends { is: 'group' }
  ? IsNullable<F> extends true
    ? z.ZodNullable<Stated<F>>
    : Stated<F>
  : Stated<F>;

type RecordSchema<F extends Fields> = z.ZodObject<
  { id: z.ZodType<string> } & { [K in keyof F]: SchemaOf<F[K]> } & ReturnType<typeof serverFields>,
  z.core.$strict
>;

/** The record as answers show it. */
export const recordOf = <F extends Fields>({ prefix, fields }: Shaped<F>, reading: () => Reading) =>
  lazy(
    () =>
      object({
        id: is.id(prefix),
        ...shapeOf(reading(), fields, 'record'),
        ...serverFields(),
      }) as unknown as RecordSchema<F>,
  );

/** A rule of the whole record, which is shown as one of a field. */
export interface Check<F extends Fields> {
  field: keyof F & string;
  rule: string;
  holds: (values: ValuesOf<F>) => boolean;
  hint: (values: ValuesOf<F>) => string;
}

type Terms = z.output<z.ZodObject<ReturnType<typeof statementTerms>>>;

/** The record as another system states it. docs/merge.md says what it may say beside its fields. */
export const draftOf = <F extends Fields>(
  { prefix, fields }: Shaped<F>,
  reading: () => Reading,
  check?: Check<F>,
) =>
  lazy(() => {
    const stated = completed(
      object({ ...shapeOf(reading(), fields, 'draft'), ...statementTerms(prefix) }),
      { ...blanksOf(fields), ...blankTerms },
      isFound,
      isLinked,
    );
    const checked = check ? stated.superRefine(checking(check as unknown as Check<Fields>)) : stated;
    return checked as unknown as z.ZodType<ValuesOf<F> & Terms>;
  });

const checking =
  ({ field, rule, holds, hint }: Check<Fields>) =>
  (values: Record<string, unknown>, { issues }: z.RefinementCtx) => {
    const params = { hint: hint(values as never) };
    if (!holds(values as never))
      issues.push({ code: 'custom', message: rule, path: [field], input: values[field], params });
  };

/** The record as a client sends it: a field that is left out takes its default value. */
export function sentOf<F extends Fields>(
  { fields }: Shaped<F>,
  required: Record<string, z.ZodType> = {},
  ...demands: Parameters<typeof completed>[2][]
) {
  const blank = Object.entries(blanksOf(fields)).filter(([name]) => !(name in required));
  const whole = object({ ...shapeOf(own(), fields, 'draft'), ...required });
  return completed(whole, Object.fromEntries(blank), ...demands) as unknown as z.ZodType<ValuesOf<F>>;
}

type Patched<F extends Field> = F extends { is: 'address' }
  ? z.output<ReturnType<typeof addressPatch>>
  : F extends { is: 'custom' }
    ? CustomFieldsPatch
    : ValueOf<F>;

/** A merge patch (RFC 7396): what is left out stays, `null` clears; an address and custom fields merge part by part. */
export function patchOf<F extends Fields>({ fields }: Shaped<F>) {
  const { kinds, nones } = own();
  const reading = { kinds: { ...kinds, address: addressPatch, custom: customFieldsPatch }, nones, draft: {} };
  const shape = mapped(fields, (field) => {
    const schema = schemaOf(reading, field, 'record');
    return isNullable(field) ? schema : orNull(schema);
  });
  return object(shape).partial() as unknown as z.ZodType<{ [K in keyof F]?: Patched<F[K]> | null }>;
}

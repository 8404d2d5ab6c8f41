import { type Contract, nameOf, type Parameter, type Schema, schemaIn } from './contract.ts';
import { escaped } from './html.ts';
import { inline } from './markdown.ts';

/** Returns the forms of a value that are not null. */
const formsOf = ({ anyOf, type, ...rest }: Schema): Schema[] =>
  anyOf
    ? anyOf.filter((form) => form.type !== 'null')
    : [type]
        .flat()
        .filter((one) => one !== 'null')
        .map((one) => ({ ...rest, ...(one === undefined ? {} : { type: one }) }));

const mayBeNull = ({ anyOf = [], type }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some((form) => form.type === 'null');

function typeOfForm(contract: Contract, form: Schema): string {
  if (form.type === 'array' && form.items) return `list of ${typeOf(contract, form.items)}`;
  const { type, format, enum: values } = schemaIn(contract, form);
  if (values) return 'enum';
  if (format === 'date-time') return 'time';
  return typeof type === 'string' ? (form.$ref ? (nameOf(form) as string) : type) : 'any value';
}

/** Returns the type of a value in words. */
export const typeOf = (contract: Contract, schema: Schema): string =>
  [
    ...new Set(formsOf(schema).map((form) => typeOfForm(contract, form))),
    ...(mayBeNull(schema) ? ['null'] : []),
  ].join(' or ');

const number = (value: unknown): string => Number(value).toLocaleString('en');

const range = (least: unknown, most: unknown, unit: string): string[] => {
  if (most === undefined) return [];
  if (least !== undefined && least !== 0)
    return [`${number(least)}${least === most ? '' : ` to ${number(most)}`}${unit}`];
  return [`at most ${number(most)}${unit}`];
};

/** Returns the limits of a value, to show next to its type. */
export function limitsOf(contract: Contract, schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, format } = schema;
  const values = (schemaIn(contract, schema).enum ?? []).map((value) => `\`${value}\``);
  const ofItems = schema.items ? limitsOf(contract, schema.items).map((limit) => `each ${limit}`) : [];
  return [
    // An id has only one length, which its example shows.
    ...(format === 'date-time' || minLength === maxLength ? [] : range(minLength, maxLength, ' characters')),
    ...range(minItems, maxItems, ' entries'),
    ...(Number(maximum) > 1e9 ? [] : range(minimum, maximum, '')),
    ...(values.length > 0 ? [`one of ${values.join(', ')}`] : []),
    ...(schema.default === undefined ? [] : [`default \`${schema.default}\``]),
    ...ofItems.filter((limit) => !limit.startsWith('each one of') || values.length === 0),
  ];
}

/** Describes a field, or a component that has no fields to show. */
export function descriptionOf(contract: Contract, schema: Schema): string {
  const whole = formsOf(schema)
    .filter(({ $ref }) => $ref)
    .map((form) => schemaIn(contract, form))
    .filter(({ properties, enum: values }) => !properties && (!values || !schema.description));
  return [schema, ...whole].flatMap(({ description = [] }) => description).join(' ');
}

/** Returns the components with fields that a value may be. */
export const objectsIn = (contract: Contract, schema: Schema): Schema[] =>
  formsOf(schema)
    .map((form) => (form.type === 'array' && form.items ? form.items : form))
    .filter((form) => form.$ref && schemaIn(contract, form).properties);

interface Row {
  id?: string;
  name: string;
  schema: Schema;
  description: string;
  required: boolean;
  example?: unknown;
  inside: string;
}

const rowOf = (
  contract: Contract,
  { id, name, schema, description, required, example, inside }: Row,
): string => {
  const limits = [typeOf(contract, schema), ...limitsOf(contract, schema)].map(inline).join(' · ');
  const shown = example === undefined ? '' : ` Example: <code>${escaped(String(example))}</code>`;
  return `<li${id === undefined ? '' : ` id="${id}"`}><p class="field"><code>${name}</code> <span>${limits}</span>${
    required ? ' <strong>required</strong>' : ''
  }</p><p>${inline(description)}${shown}</p>${inside}</li>`;
};

/**
 * Returns the fields of an object in HTML. Fields of nested objects are in a collapsed line.
 * @param id gives a field its address
 * @param path the components that contain this object
 */
export function fieldsOf(
  contract: Contract,
  schema: Schema,
  { id, isInput = false, path = [] }: { id?: (name: string) => string; isInput?: boolean; path?: string[] },
): string {
  const { properties = {}, required = [] } = schemaIn(contract, schema);
  const rows = Object.entries(properties).map(([name, one]) => {
    const inner = objectsIn(contract, one)
      .map((object) => [nameOf(object) as string, object] as const)
      .filter(([component]) => !path.includes(component));
    const inside = inner.map(
      ([component, object]) =>
        `<details><summary>Fields of ${component}</summary>${fieldsOf(contract, object, { isInput, path: [...path, component] })}</details>`,
    );
    return rowOf(contract, {
      ...(id ? { id: id(name) } : {}),
      name,
      schema: one,
      description: descriptionOf(contract, one),
      required: isInput && required.includes(name),
      inside: inside.join(''),
    });
  });
  return rows.length === 0 ? '' : `<ul class="fields">${rows.join('')}</ul>`;
}

/** Returns parameters in HTML. */
export const parameterRows = (contract: Contract, parameters: readonly Parameter[]): string =>
  `<ul class="fields">${parameters
    .map(({ name, in: place, schema, description, required = false, example }) =>
      rowOf(contract, {
        id: `${place}.${name}`,
        name,
        schema,
        description,
        required,
        ...(example === undefined ? {} : { example }),
        inside: '',
      }),
    )
    .join('')}</ul>`;

import type { BaseOperation } from '../../../lib/resources/operation.ts';
import { document, type Parameter, resolved } from '../documents/openapi.ts';

/** The parameters in the query of an operation, as the document has them. */
export const queryParametersOf = ({ path, method }: BaseOperation): Parameter[] =>
  (document.paths[path]?.[method.toLowerCase()]?.parameters ?? [])
    .map((one) => resolved(one))
    .filter((one) => one.in === 'query');

/** Whether a parameter may be given several times. */
export const isRepeatable = ({ explode }: Parameter): boolean => explode === true;

/** Whether a parameter is a list of words, which may be given in one parameter or in several. */
export const isWordList = ({ explode, schema }: Parameter): boolean =>
  schema.type === 'array' && explode === false;

/** The values of a parameter in a query, as the document says that they are written. */
export const written = ({ explode }: Parameter, value: unknown): string[] =>
  Array.isArray(value) ? (explode ? value.map(String) : [value.join()]) : [String(value)];

/** A parameter with its values, as a part of a query string. */
export const queryPart = (name: string, values: readonly string[]): string =>
  values.map((value) => `${name}=${encodeURIComponent(value)}`).join('&');

/** The example of a parameter, as a part of a query string. */
export const exampleOf = (parameter: Parameter): string =>
  queryPart(parameter.name, written(parameter, parameter.example));

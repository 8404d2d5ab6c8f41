import { type Contract, exampleOf, type Parameter, type Placed } from './contract.ts';
import type { Call } from './programs.ts';

export const parametersIn = ({ parameters = [] }: Placed, place: Parameter['in']): Parameter[] =>
  parameters.filter((parameter) => parameter.in === place);

/** Returns the request of an operation as its programs send it. Filters are left out, because no record may match their examples. */
export function exampleCall(contract: Contract, operation: Placed): Call {
  const ids = new Map(parametersIn(operation, 'path').map(({ name, example }) => [name, `${example}`]));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids.get(name) as string));
  const body = exampleOf(contract, operation.requestBody?.content);
  const [known, another] = contract.servers;
  return {
    method: operation.method,
    path,
    ...(body === undefined ? {} : { body }),
    ...(known && !another ? { api: known.url } : {}),
  };
}

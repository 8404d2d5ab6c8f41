import type { BaseOperation } from '../../../lib/resources/operation.ts';
import { batchBytesMax, batchMax } from '../../../lib/values/batch.ts';
import { bodyBytesMax } from '../../../lib/values/json.ts';
import type { Request } from '../http/api.ts';
import { pathOf } from '../http/pathOf.ts';
import type { RawRequest } from '../http/rawHttp.ts';
import { type FieldPath, fieldPathsOf, jsonWith } from './bodyFields.ts';
import { hostileJson, hostileTexts } from './hostile.ts';

/** What an attacker changes of a valid request, by what it is. */
export type Attack = [name: string, change: Partial<RawRequest>];

/** The most that an answer to one of these may say. */
export const answerMax = 20_000;

/** Of them all the gateway takes 10,240 bytes together, as API Gateway does. */
export const headerBytes = 8000;

/** As large as a body may be, and small enough that there is time for one in every place. */
export const [large, small] = [hostileJson(bodyBytesMax - 2000), hostileJson(bodyBytesMax / 64)];

const manyNames = Array.from({ length: 500 }, (_, i) => `n${i}=1`).join('&');

/** Hostile queries and paths. @param names the parameters that the operation takes */
export function hostilePaths(operation: BaseOperation, valid: Request, names: readonly string[]): Attack[] {
  const path = pathOf(operation, valid.params);
  return Object.entries(hostileTexts(1000)).flatMap(([kind, text]): Attack[] => {
    const encoded = encodeURIComponent(text.toWellFormed()).slice(0, 6000).replace(/%.?$/, '');
    return [
      ...[...names, 'limit', 'nope'].map(
        (name): Attack => [`${name}: ${kind}`, { path: `${path}?${name}=${encoded}` }],
      ),
      [`a name: ${kind}`, { path: `${path}?${encoded}=1` }],
      [`many names: ${kind}`, { path: `${path}?${manyNames}` }],
      [`an id: ${kind}`, { path: operation.path.replace(/\{\w+\}/g, () => encoded) }],
    ];
  });
}

/** Hostile bodies, in every place. */
export function hostileBodies(operation: BaseOperation, valid: Request): Attack[] {
  const paths = fieldPathsOf(operation.body?.() as never);
  const [first = ['nope']] = paths;
  const at = (kinds: Record<string, string>, place: FieldPath) =>
    Object.entries(kinds).map(
      ([kind, text]): Attack => [`${place.join('.')}: ${kind}`, { body: jsonWith(valid.body, place, text) }],
    );
  return [
    ...paths.flatMap((place) => at(small, place)),
    ...at(large, first),
    ...at(large, ['nope']),
    ...at(large, []),
  ];
}

/** The most bytes of an entry, when a batch of as many entries as may be has as many bytes as may be. */
const entryBytes = Math.floor((batchBytesMax - 2000) / batchMax);

/** The largest batches: what is hostile is the whole body, or stands in another place of each entry. */
export function largestBatches(operation: BaseOperation, entry: () => object): Attack[] {
  const places = fieldPathsOf(operation.body?.() as never).filter((place) => place.length > 2);
  const batch = (entries: string[]) => ({ body: `{"contacts":[${entries.join()}]}` });
  const kinds = hostileJson(entryBytes - 1000);
  return [
    ...Object.entries(hostileJson(batchBytesMax - 2000)).map(
      ([kind, body]): Attack => [`the body: ${kind}`, { body }],
    ),
    ...Object.entries(kinds).map(([kind, json]): Attack => {
      const at = (i: number) => (places[i % places.length] as FieldPath).slice(2);
      return [kind, batch(Array.from({ length: batchMax }, (_, i) => jsonWith(entry(), at(i), json)))];
    }),
    // The longest text of all, in as many entries as fit.
    ...Object.entries(hostileTexts(12_000)).map(([kind, text]): Attack => {
      const one = () => JSON.stringify({ ...entry(), note: text });
      const fit = Math.floor((batchBytesMax - 2000) / (Buffer.byteLength(one()) + 50));
      return [`a note: ${kind}`, batch(Array.from({ length: Math.min(fit, batchMax) }, one))];
    }),
  ];
}

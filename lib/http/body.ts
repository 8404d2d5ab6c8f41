import httpJsonBodyParser from '@middy/http-json-body-parser';
import { type Constant, constant, said, theirs } from '../errors/constant.ts';
import { type Problem, problemOfNoField } from '../errors/problem.ts';
import type { BaseOperation } from '../resources/operation.ts';
import { batchMax, SpoiltEntry } from '../schemas/batch.ts';
import { isObject, openText, type Structure, structureOf, syntaxProblem } from '../schemas/json.ts';
import { shown } from '../schemas/problemMessages.ts';
import { type ApiEvent, type ApiRequest, headerValues, type Middleware } from './apiEvent.ts';

const mustBeObject = constant`The body must be a JSON object`;

type Reading = Pick<BaseOperation, 'bodyMayBeLeftOut' | 'bodyBytesMax' | 'batch'>;

/**
 * Replaces the body by its JSON object. middy's parser parses it. Problems for which the parser would return 415 or 422, or that it would miss,
 * join the `problems` as sentences that say what is allowed.
 */
export const jsonBody = (operation: Reading): Middleware => ({
  before: async function jsonBodyBefore(request) {
    const { event } = request;
    // Go clients from generators send `null` for an omitted body.
    if (operation.bodyMayBeLeftOut && /^(?:null)?$/.test(textOf(event).trim())) {
      event.body = {} as never;
      return;
    }
    const wrongType =
      mediaTypeProblem(headerValues(event.multiValueHeaders, 'Content-Type')) ??
      contentCodingProblem(headerValues(event.multiValueHeaders, 'Content-Encoding'));
    const problems = wrongType === undefined ? await read(request, operation) : [problemOfNoField(wrongType)];
    event.problems = [...(event.problems ?? []), ...problems];
  },
});

/** Replaces the body of the event by its object, if it is one. @returns the problems of its text */
async function read({ event }: ApiRequest, { bodyBytesMax, batch }: Reading): Promise<Problem[]> {
  const one = (sentence: Constant) => [problemOfNoField(sentence)];
  const opened = openText(textOf(event), bodyBytesMax);
  if ('problem' in opened) return one(constant`The body ${opened.problem}`);
  const { text, structure } = opened;
  if (text.trim() === '') return one(constant`${mustBeObject}, and it is empty`);
  const whole = await readJson(text, structure);
  const { value, problems } = (batch !== undefined && (await readBatch(whole, text, batch))) || whole;
  event.body = value as ApiEvent['body'];
  event.isBase64Encoded = false;
  return problems.length > 0 || isObject(value) ? problems.map(ofBody) : one(mustBeObject);
}

/**
 * Reads the object of a batch whose text has problems. A problem inside an entry affects only this entry.
 * @returns undefined if all problems concern the batch as a whole
 */
async function readBatch(
  { problems, isJson }: JsonText,
  text: string,
  { list, cut: cutEntries }: NonNullable<Reading['batch']>,
): Promise<JsonText | undefined> {
  const cut = problems.length > 0 && isJson ? cutEntries(text, list, batchMax) : undefined;
  if (!cut) return undefined;
  const rest = await readJson(cut.rest);
  const entries = await Promise.all(cut.entries.map((entry) => readJson(entry)));
  const values = entries.map(({ value, problems }) =>
    problems.length === 0
      ? value
      : new SpoiltEntry(
          value,
          problems.map(({ sentence }) => sentence),
        ),
  );
  return { ...rest, value: isObject(rest.value) ? { ...rest.value, [list]: values } : rest.value };
}

const textOf = ({ body, isBase64Encoded }: ApiEvent): string =>
  isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');

interface JsonText {
  /** undefined if the text cannot be read. */
  value?: unknown;
  /** Their sentences have no subject, because only the caller knows the name of the text. */
  problems: Problem[];
  isJson: boolean;
}

const ofBody = ({ rule, sentence }: Problem): Problem =>
  problemOfNoField({ shown: `The body ${sentence}`, kept: constant`The body ${rule}` });

const stock = httpJsonBodyParser({ disableContentTypeCheck: true });

type StockRequest = Parameters<NonNullable<typeof stock.before>>[0];

/** Parses a JSON text with middy's parser, and also finds repeated names, which the parser would miss. */
async function readJson(text: string, structure = structureOf(text)): Promise<JsonText> {
  // The gateway replaces bytes that are not UTF-8 by U+FFFD.
  const unreadable = text.includes('\uFFFD')
    ? [problemOfNoField(constant`must be UTF-8, without the character U+FFFD`)]
    : [];
  const event = { body: text as unknown, headers: {}, isBase64Encoded: false };
  try {
    await stock.before?.({ event } as unknown as StockRequest);
  } catch (error) {
    const { data, message } = ((error as Error).cause ?? {}) as { data?: string; message?: string };
    if (message !== undefined)
      return {
        problems: [
          ...unreadable,
          problemOfNoField({
            shown: `is not valid JSON${syntaxProblem(text)}`,
            kept: constant`is not valid JSON`,
          }),
        ],
        isJson: false,
      };
    // middy's parser also refuses names that could reach an object's prototype.
    const forbidden = problemOfNoField(said`must not have a field named "${theirs(`${data}`)}"`);
    return { problems: [...unreadable, forbidden], isJson: true };
  }
  return { value: event.body, problems: [...unreadable, ...problemsOf(structure)], isJson: true };
}

const problemsOf = ({ repeated }: Structure): Problem[] =>
  [...new Set(repeated)].map((name) =>
    problemOfNoField(said`has ${theirs(shown(name))} more than once in one object`),
  );

/**
 * Returns the problem of a body's media type. Allowed are JSON and formats based on JSON, such as application/merge-patch+json, in UTF-8 (RFC
 * 8259 § 8.1); these return undefined. Unknown parameters are ignored.
 */
export function mediaTypeProblem(contentTypes: readonly string[]): Constant | undefined {
  const [type = '', ...parameters] = (contentTypes[0] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (contentTypes.length !== 1 || !/^application\/(?:[a-z0-9!#$&^_.-]+\+)?json$/.test(type))
    return constant`The header Content-Type must be application/json, or an application type that ends in +json`;
  const [, charset] =
    parameters
      .map((text) => text.split('=').map((part) => part.trim()))
      .find(([name]) => name === 'charset') ?? [];
  // ASCII has the same bytes in UTF-8.
  if (charset !== undefined && !/^["']?(?:utf-?8|us-ascii|ascii)["']?$/.test(charset))
    return constant`The header Content-Type must not name a charset other than utf-8`;
  return undefined;
}

/** Returns the problem of a body's content coding; undefined if it has none. */
export const contentCodingProblem = (codings: readonly string[]): Constant | undefined =>
  codings.every((coding) => coding.trim().toLowerCase() === 'identity')
    ? undefined
    : constant`The header Content-Encoding must be left out: send the body without compression`;

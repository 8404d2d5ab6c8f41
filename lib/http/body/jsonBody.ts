import { type Constant, constant } from '../../errors/constant.ts';
import { type Problem, problemOfNoField } from '../../errors/problem.ts';
import type { BaseOperation } from '../../resources/operation.ts';
import { batchMax, SpoiltEntry } from '../../values/batch.ts';
import { isObject, openText } from '../../values/json.ts';
import type { ApiEvent, ApiRequest, Middleware } from '../event.ts';
import { headerValues } from '../headers.ts';
import { type JsonText, ofBody, readJson } from './jsonText.ts';
import { contentCodingProblem, mediaTypeProblem } from './mediaType.ts';

const mustBeObject = constant`The body must be a JSON object`;

type Reading = Pick<BaseOperation, 'bodyMayBeLeftOut' | 'bodyBytesMax' | 'batch'>;

/**
 * Replaces the body by its JSON object. middy's parser parses it. What the parser would answer with 415 or 422, or not find,
 * joins the `problems` as a sentence that says what is allowed.
 */
export const jsonBody = (operation: Reading): Middleware => ({
  before: async function jsonBodyBefore(request) {
    const { event } = request;
    if (operation.bodyMayBeLeftOut && !event.body) {
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
 * Reads the object of a batch whose text has problems: those inside an entry spoil this entry alone.
 * @returns undefined when the problems, if any, are of the whole
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

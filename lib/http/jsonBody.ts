import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { BaseOperation } from '../contract/operation.ts';
import { exactNumberRule } from '../contract/values/exactNumber.ts';
import {
  depthMax,
  isObject,
  numberProblems,
  structureOf,
  bodyBytesMax as usualBytesMax,
} from '../contract/values/json.ts';
import { shown } from '../contract/values/problemMessages.ts';
import { type Problem, problemOfNoField } from '../problem.ts';
import type { ApiEvent, ApiRequest, Middleware } from './event.ts';
import { headerValues } from './headers.ts';
import { contentCodingProblem, mediaTypeProblem } from './mediaType.ts';

const mustBeObject = 'The body must be a JSON object';

const stock = httpJsonBodyParser({ disableContentTypeCheck: true });

/**
 * Replaces the body by its JSON object. middy's parser parses it. What the parser would answer with 415 or 422, or not find,
 * joins the `problems` as a sentence that says what is allowed.
 */
export const jsonBody = ({
  bodyMayBeLeftOut,
  bodyBytesMax = usualBytesMax,
}: Pick<BaseOperation, 'bodyMayBeLeftOut' | 'bodyBytesMax'>): Middleware => ({
  before: async function jsonBodyBefore(request) {
    const { event } = request;
    if (bodyMayBeLeftOut && !event.body) {
      event.body = {} as never;
      return;
    }
    const wrongType =
      mediaTypeProblem(headerValues(event.multiValueHeaders, 'Content-Type')) ??
      contentCodingProblem(headerValues(event.multiValueHeaders, 'Content-Encoding'));
    const problems =
      wrongType === undefined ? await read(request, bodyBytesMax) : [problemOfNoField(wrongType)];
    event.problems = [...(event.problems ?? []), ...problems];
  },
});

/** Replaces the body of the event by its object, if it is one. @returns the problems of the body and of its numbers */
async function read(request: ApiRequest, bytesMax: number): Promise<Problem[]> {
  const one = (sentence: string) => [problemOfNoField(sentence)];
  const { event } = request;
  const text = textOf(event);
  if (Buffer.byteLength(text) > bytesMax) return one(`The body must be at most ${bytesMax} bytes`);
  if (text.trim() === '') return one(`${mustBeObject}, and it is empty`);
  // The gateway replaces bytes that are not UTF-8 by it.
  if (text.includes('\uFFFD')) return one('The body must be UTF-8, without the character U+FFFD');
  const structure = structureOf(text);
  if (structure.depth > depthMax) return one(`The body must not be nested deeper than ${depthMax} levels`);
  const unreadable = await parse(request, text);
  if (unreadable) return [unreadable];
  if (!isObject(event.body)) return one(mustBeObject);
  const repeated = [...new Set(structure.repeated)];
  return [
    ...repeated.map((name) =>
      problemOfNoField(
        'The body has a name more than once in one object',
        `The body has ${shown(name)} more than once in one object`,
      ),
    ),
    ...numberProblems(structure).map((sentence) =>
      problemOfNoField(`A number of the body ${exactNumberRule}`, sentence),
    ),
  ];
}

const textOf = ({ body, isBase64Encoded }: ApiEvent): string =>
  isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');

/** @returns why the text could not be parsed */
async function parse(request: ApiRequest, text: string): Promise<Problem | undefined> {
  request.event.body = text;
  request.event.isBase64Encoded = false;
  try {
    await stock.before?.(request as Parameters<NonNullable<typeof stock.before>>[0]);
    return undefined;
  } catch (error) {
    return whyNot(error);
  }
}

/** middy's parser also refuses the names that could reach an object's prototype. */
function whyNot(error: unknown): Problem {
  const { data, message } = ((error as Error).cause ?? {}) as { data?: string; message?: string };
  if (message === undefined)
    return problemOfNoField(
      'The body has a field with a forbidden name',
      `The body must not have a field named "${data}"`,
    );
  const where = /line \d+ column \d+/.exec(message)?.[0];
  return problemOfNoField(`The body is not valid JSON${where ? ` (${where})` : ''}`);
}

import httpJsonBodyParser from '@middy/http-json-body-parser';
import { type Constant, constant, ours } from '../../errors/constant.ts';
import { type Problem, problemOfNoField } from '../../errors/problem.ts';
import { exactNumberRule } from '../../values/exactNumber.ts';
import { numberProblems, type Structure, structureOf } from '../../values/json.ts';
import { syntaxProblem } from '../../values/jsonText/syntax.ts';
import { shown } from '../../values/problemMessages.ts';

/** A JSON text of a client, read. */
export interface JsonText {
  /** undefined when the text cannot be read. */
  value?: unknown;
  /** Their sentences have no subject if they are of no field: what the text is, the caller knows. */
  problems: (Problem & { isOfText?: true })[];
  isJson: boolean;
}

/** A problem of the text of a whole body. */
export const ofBody = ({ isOfText, ...problem }: JsonText['problems'][number]): Problem =>
  isOfText ? problemOfNoField(constant`The body ${problem.rule}`, `The body ${problem.sentence}`) : problem;

const stock = httpJsonBodyParser({ disableContentTypeCheck: true });

type StockRequest = Parameters<NonNullable<typeof stock.before>>[0];

const ofText = (rule: Constant, sentence: string = rule) => ({
  ...problemOfNoField(rule, sentence),
  isOfText: true as const,
});

/** Parses a JSON text with middy's parser, and finds what it would not: names twice, and numbers that would be rounded. */
export async function readJson(text: string, structure = structureOf(text)): Promise<JsonText> {
  // The gateway replaces bytes that are not UTF-8 by it.
  const unreadable = text.includes('\uFFFD')
    ? [ofText(constant`must be UTF-8, without the character U+FFFD`)]
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
          ofText(constant`is not valid JSON`, `is not valid JSON${syntaxProblem(text)}`),
        ],
        isJson: false,
      };
    // middy's parser also refuses the names that could reach an object's prototype.
    const forbidden = ofText(
      constant`must not have a field with a forbidden name`,
      `must not have a field named "${data}"`,
    );
    return { problems: [...unreadable, forbidden], isJson: true };
  }
  return { value: event.body, problems: [...unreadable, ...problemsOf(structure)], isJson: true };
}

function problemsOf(structure: Structure): JsonText['problems'] {
  return [
    ...[...new Set(structure.repeated)].map((name) =>
      ofText(
        constant`has a name more than once in one object`,
        `has ${shown(name)} more than once in one object`,
      ),
    ),
    ...numberProblems(structure).map((sentence) =>
      problemOfNoField(constant`A number of the body ${ours(exactNumberRule)}`, sentence),
    ),
  ];
}

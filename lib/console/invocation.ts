import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import { joinProblems } from '../apiError.ts';
import type { Actor } from '../contract/console/session.ts';
import { text } from '../contract/values/fields.ts';
import { problemsOf } from '../contract/values/problemMessages.ts';
import { object } from '../contract/values/structure.ts';
import { describeError, log, setLogContext } from '../log.ts';
import { timed } from '../metrics.ts';
import type { Author } from '../trail/author.ts';

/** The operator who invokes a function with a command; the backend of the product leaves it out. */
export const operator = () => object({ id: text(2048), name: text(2048) });
type Operator = z.output<ReturnType<typeof operator>>;

/** The author of what a function does: the operator, otherwise the product, for a person. */
export const invokedBy = (operator: Operator | undefined, person: Actor): Author =>
  operator ? { kind: 'operator', ...operator } : { kind: 'product', ...person };

/** The input of an invocation is wrong. Its message says what is allowed. */
export class InputError extends Error {
  override name = 'InputError';
}

/** @throws InputError that names all problems */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(input);
  if (error) throw new InputError(joinProblems(problemsOf(error)));
  return data as z.output<Schema>;
}

/** Reserved from the Lambda's time. */
const reserveMs = 1000;

/** Runs a function that the product's backend invokes, and logs one line about it. Its input is in no line: it has names of people. */
export async function asInvocation<Result>(
  operation: string,
  context: Context,
  run: (deadline: number) => Promise<Result>,
): Promise<Result> {
  setLogContext({ operation, request_id: context.awsRequestId });
  const started = performance.now();
  try {
    const result = await run(Date.now() + context.getRemainingTimeInMillis() - reserveMs);
    log.info('invocation', timed('succeeded', performance.now() - started));
    return result;
  } catch (error) {
    const duration = performance.now() - started;
    if (error instanceof InputError) log.info('invocation', timed('refused', duration));
    else log.error('invocation', { ...timed('failed', duration), error: describeError(error) });
    throw error;
  }
}

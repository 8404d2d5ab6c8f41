import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import { joinProblems } from '../errors/apiError.ts';
import { describeError, log, setLogContext } from '../logs/log.ts';
import { timed } from '../logs/metrics.ts';
import { problemsOf } from '../schemas/problemMessages.ts';

/** The input of an invocation is wrong. The message says what is allowed. */
export class InputError extends Error {
  override name = 'InputError';
}

/** Parses the input of an invocation. @throws InputError that names all problems */
export function parseInvocation<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(input);
  if (error) throw new InputError(joinProblems(problemsOf(error)));
  return data as z.output<Schema>;
}

/** The part of the Lambda's time that is kept in reserve. */
const reserveMs = 1000;

/** Runs a function that the product's backend invokes, and logs one line about it. The line leaves out the input, which contains names of people. */
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

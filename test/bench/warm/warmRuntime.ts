import { createRequire } from 'node:module';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { lambdaContext } from '../../support/http/events.ts';
import { stubDynamodb } from './stubbedDynamodb.ts';

// A warm Lambda in a process of its own, as on AWS: no other handler influences what V8 compiles.
//   fork(warmRuntime.ts, [<bundle>, <answers of DynamoDB, as JSON>])

/** Calls of the handler with one event. */
export interface Batch {
  /** The event, as JSON. */
  event: string;
  calls: number;
}

export interface BatchResult {
  /** The time of each call. */
  microseconds: number[];
  /** The answer to the last call. */
  answer: APIGatewayProxyResult;
}

const [, , file, answers] = process.argv;
stubDynamodb(JSON.parse(answers as string));
const { handler } = createRequire(import.meta.url)(file as string) as {
  handler(event: object, context: Context): Promise<APIGatewayProxyResult>;
};

process.on('message', async ({ event, calls }: Batch) => {
  const microseconds: number[] = [];
  let answer: APIGatewayProxyResult | undefined;
  for (let i = 0; i < calls; i++) {
    const [fresh, context] = [JSON.parse(event), lambdaContext()];
    const started = performance.now();
    answer = await handler(fresh, context);
    microseconds.push(1000 * (performance.now() - started));
  }
  process.send?.({ microseconds, answer } as BatchResult);
});

import { isDeepStrictEqual } from 'node:util';
import type { APIGatewayProxyResult } from 'aws-lambda';

export interface NamedAnswer {
  /** The handler that answered. */
  name: string;
  answer: APIGatewayProxyResult;
}

/** Without the time of the next poll, which is that of the request. */
const essence = ({ statusCode, body }: APIGatewayProxyResult) => ({
  statusCode,
  body: JSON.parse(body, (name, value) => (name === 'next_updated_since' ? typeof value : value)),
});

/** @throws Error when an answer has another status or body than the first: then the handlers cannot be compared */
export function assertSame([first, ...others]: readonly [NamedAnswer, ...NamedAnswer[]]): void {
  const expected = essence(first.answer);
  for (const { name, answer } of others)
    if (!isDeepStrictEqual(essence(answer), expected))
      throw new Error(
        `${name} answers ${JSON.stringify(essence(answer))}, and ${first.name} ${JSON.stringify(expected)}`,
      );
}

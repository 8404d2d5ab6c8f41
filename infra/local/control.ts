import type { RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Lambda } from './lambda.ts';

const flushPath = /^\/restapis\/[^/]+\/stages\/[^/]+\/cache\/authorizers$/;
const invokePath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

/**
 * The operations of AWS's own APIs that we call: FlushStageAuthorizersCache of API Gateway, and Invoke of Lambda.
 * https://docs.aws.amazon.com/apigateway/latest/api/API_FlushStageAuthorizersCache.html
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export const control =
  (flushAuthorizers: () => void, lambdas: ReadonlyMap<string, Pick<Lambda, 'invoke'>>): RequestListener =>
  async (request, response) => {
    const { method, url = '' } = request;
    const lambda = lambdas.get(decodeURIComponent(invokePath.exec(url)?.[1] ?? ''));
    if (method === 'DELETE' && flushPath.test(url)) {
      flushAuthorizers();
      response.writeHead(202).end();
    } else if (method === 'POST' && lambda) await invoke(lambda, await text(request), response);
    else response.writeHead(404).end();
  };

async function invoke(
  lambda: Pick<Lambda, 'invoke'>,
  event: string,
  response: ServerResponse,
): Promise<void> {
  try {
    const result = await lambda.invoke(JSON.parse(event));
    response.writeHead(200).end(result);
  } catch (error) {
    const { name: errorType, message: errorMessage } = error as Error;
    response
      .writeHead(200, { 'X-Amz-Function-Error': 'Unhandled' })
      .end(JSON.stringify({ errorType, errorMessage }));
  }
}

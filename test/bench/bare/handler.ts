import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { accountOf, answerTo, assertScope, list, pageOf } from './work.ts';

// A list of contacts without any framework.

const json = (statusCode: number, body: object): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

export async function handler({
  requestContext,
  queryStringParameters,
}: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  try {
    assertScope(requestContext);
    return json(200, await list(accountOf(requestContext), pageOf(queryStringParameters ?? {})));
  } catch (error) {
    const { status, body } = answerTo(error);
    return json(status, body);
  }
}

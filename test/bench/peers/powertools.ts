import { Router } from '@aws-lambda-powertools/event-handler/http';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { accountOf, answerTo, assertScope, list, pageOf } from '../bare/work.ts';

const app = new Router();

const requestContextOf = (event: unknown) => (event as APIGatewayProxyEvent).requestContext;

app.use(async ({ reqCtx, next }) => {
  assertScope(requestContextOf(reqCtx.event));
  await next();
});

app.get('/contacts', async ({ req, event }) => {
  const { searchParams } = new URL(req.url);
  return { ...(await list(accountOf(requestContextOf(event)), pageOf(Object.fromEntries(searchParams)))) };
});

app.errorHandler(Error, async (error) => {
  const { status, body } = answerTo(error);
  return Response.json(body, { status });
});

export const handler = (event: unknown, context: Context) => app.resolve(event, context);

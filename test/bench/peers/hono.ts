import { Hono } from 'hono';
import { handle, type LambdaEvent } from 'hono/aws-lambda';
import { accountOf, answerTo, assertScope, list, pageOf } from '../bare/work.ts';

type RequestContext = Parameters<typeof assertScope>[0];

const app = new Hono<{ Bindings: { event: LambdaEvent; requestContext: RequestContext } }>();

app.use(async (context, next) => {
  assertScope(context.env.requestContext);
  await next();
});

app.get('/contacts', async (context) =>
  context.json(await list(accountOf(context.env.requestContext), pageOf(context.req.query()))),
);

app.onError((error, context) => {
  const { status, body } = answerTo(error);
  return context.json(body, status as 400);
});

export const handler = handle(app);

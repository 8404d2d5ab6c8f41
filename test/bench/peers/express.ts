import express, { type ErrorRequestHandler, type Request } from 'express';
import serverless from 'serverless-http';
import { accountOf, answerTo, assertScope, list, pageOf } from '../bare/work.ts';

type RequestContext = Parameters<typeof assertScope>[0];

const contextOf = (request: Request) =>
  (request as Request & { requestContext: RequestContext }).requestContext;

const app = express();

app.use((request, _, next) => {
  assertScope(contextOf(request));
  next();
});

app.get('/contacts', async (request, response) => {
  response.json(await list(accountOf(contextOf(request)), pageOf({ ...request.query })));
});

// Express knows by their number that these are for errors.
const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  const { status, body } = answerTo(error);
  response.status(status).json(body);
};
app.use(onError);

export const handler = serverless(app, {
  request: (request: Request, { requestContext }: { requestContext: RequestContext }) => {
    Object.assign(request, { requestContext });
  },
});

import type { RequestListener } from 'node:http';

const flushPath = /^\/restapis\/[^/]+\/stages\/[^/]+\/cache\/authorizers$/;

/**
 * The one operation of API Gateway's own API that we call: FlushStageAuthorizersCache.
 * https://docs.aws.amazon.com/apigateway/latest/api/API_FlushStageAuthorizersCache.html
 */
export const control =
  (flushAuthorizers: () => void): RequestListener =>
  (request, response) => {
    const known = request.method === 'DELETE' && flushPath.test(request.url ?? '');
    if (known) flushAuthorizers();
    response.writeHead(known ? 202 : 404).end();
  };

import { answerHeaders } from '../../../lib/contract/answerHeaders.ts';
import { errorBody } from '../../../lib/errors/apiError.ts';
import { noFileMessage, pagePath } from '../../pages/paths.ts';
import { securityTextExpression, securityTextPath } from '../site/securityText.ts';

/** Files whose name changes with their content. The bucket keeps the files of earlier releases for open pages. */
const hashedFile = `^${pagePath}[A-Za-z0-9_-]{1,64}\\.[A-Za-z0-9]{1,64}\\.(js|css)$`;

const page = `${pagePath}index.html`;

/**
 * Returns the code of the CloudFront function that every request for a file passes first. It redirects to the page, rewrites the page's path to
 * its file, and responds to requests for missing files. A response headers policy may not apply to a function's response, so these responses
 * set the headers themselves.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
 * @param headers of every response under /console/
 * @param securityContact where to report a vulnerability, if the stage sets it
 */
export function viewerRequestCode(headers: Record<string, string>, securityContact?: string): string {
  const answer = (status: number, statusDescription: string, own: Record<string, string>, body?: string) =>
    JSON.stringify({
      statusCode: status,
      statusDescription,
      headers: Object.fromEntries(
        Object.entries({ ...headers, ...own }).map(([name, value]) => [name.toLowerCase(), { value }]),
      ),
      ...(body === undefined ? {} : { body: { encoding: 'text', data: body } }),
    });
  const redirect = answer(301, 'Moved Permanently', { Location: pagePath, 'Cache-Control': 'no-cache' });
  const missing = answer(
    404,
    'Not Found',
    { 'Content-Type': 'application/json', 'Cache-Control': answerHeaders['Cache-Control'] },
    JSON.stringify(errorBody(404, noFileMessage)),
  );
  const securityText = answer(200, 'OK', { 'Content-Type': 'text/plain; charset=utf-8' });
  const securityStatement =
    securityContact === undefined
      ? ''
      : `  if (request.uri === '${securityTextPath}') return Object.assign(${securityText}, { body: { encoding: 'text', data: ${securityTextExpression(securityContact)} } });
`;
  return `function handler(event) {
  var request = event.request;
${securityStatement}  if (request.uri === '/' || request.uri === '/console') return ${redirect};
  if (request.uri === '${pagePath}') request.uri = '${page}';
  else if (request.uri !== '${page}' && !/${hashedFile.replaceAll('/', '\\/')}/.test(request.uri)) return ${missing};
  return request;
}
`;
}

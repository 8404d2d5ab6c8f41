/** Where programs and people look up how to report a vulnerability. https://www.rfc-editor.org/rfc/rfc9116 */
export const securityTextPath = '/.well-known/security.txt';

/** How long the file is valid. It must say so, and name less than a year. */
const rightForMs = 90 * 24 * 3_600_000;

/**
 * Returns the content of security.txt as an expression in the code of a CloudFront function. It is computed at each request, so it never
 * becomes stale, however long ago the site was deployed.
 */
export const securityTextExpression = (contact: string): string =>
  `${JSON.stringify(`Contact: ${contact}\nPreferred-Languages: en\nExpires: `)} + new Date(Date.now() + ${rightForMs}).toISOString() + '\\n'`;

/** Returns the code of a CloudFront function that serves security.txt, and passes every other request on. */
export const securityTextCode = (contact: string): string =>
  `function handler(event) {
  if (event.request.uri !== '${securityTextPath}') return event.request;
  return {
    statusCode: 200,
    statusDescription: 'OK',
    headers: { 'content-type': { value: 'text/plain; charset=utf-8' }, 'x-content-type-options': { value: 'nosniff' } },
    body: { encoding: 'text', data: ${securityTextExpression(contact)} },
  };
}
`;

import { describe, expect, test } from 'vitest';
import { openTables } from '../../../../infra/local/database/tables.ts';
import type { Resource } from '../../../../infra/local/template/template.ts';
import { served } from '../../../support/http/served.ts';

/** The endpoint of a server that answers every request with this. */
const givenServer = (status: number, body: string): Promise<string> =>
  served((request, response) => {
    request.resume();
    response.writeHead(status).end(body);
  });

const tables = [{ id: 'Records', properties: {} }] as unknown as Resource[];

describe('a server that is not DynamoDB is named in one sentence', () => {
  test.each([
    [200, 'hello'],
    [200, ''],
    [200, '{}'],
    [200, '[]'],
    [200, 'null'],
    [301, ''],
    [400, '{}'],
    [403, '<Error><Code>AccessDenied</Code></Error>'],
    [404, '<html>\n<body>Not Found</body>\n</html>'],
    [404, '{"error": {"message": "Not found"}}'],
    [501, 'Not implemented'],
  ])('when it answers %i %s', async (status, body) => {
    const endpoint = await givenServer(status, body);
    await expect(openTables(endpoint, tables)).rejects.toMatchObject({
      name: 'StartError',
      message: `The database at ${endpoint} cannot be used: what answers there is not DynamoDB`,
    });
  });
});

test('a refusal by DynamoDB is shown, without further lines', async () => {
  const endpoint = await givenServer(
    400,
    JSON.stringify({ __type: 'x#ValidationException', message: 'a\nb' }),
  );
  await expect(openTables(endpoint, tables)).rejects.toMatchObject({
    name: 'StartError',
    message: `The database at ${endpoint} cannot be used: a`,
  });
});

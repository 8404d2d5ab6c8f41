import { expect, test, vi } from 'vitest';
import { awsOperator } from '../../../../infra/ops/operator.ts';
import { served } from '../../../support/http/served.ts';

test('without credentials that AWS knows, nothing is changed: a change is recorded with its author', async () => {
  const sts = await served((_, response) =>
    response
      .writeHead(403)
      .end(
        '<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>The security token is invalid.</Message></Error></ErrorResponse>',
      ),
  );
  vi.stubEnv('AWS_ENDPOINT_URL_STS', sts);
  await expect(awsOperator()).rejects.toMatchObject({
    name: 'OpsError',
    message:
      'AWS does not say whose credentials these are, and a change is recorded with its author: The security token is invalid.',
  });
  vi.unstubAllEnvs();
});

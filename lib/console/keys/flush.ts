import { FlushStageAuthorizersCacheCommand } from '@aws-sdk/client-api-gateway';
import { apiGateway } from '../../aws/apiGateway.ts';
import { env, required } from '../../env.ts';

/** Empties the cache of the authorizer's answers: the next request with each key asks the authorizer. */
export async function flushAuthorizer(): Promise<void> {
  await apiGateway().send(
    new FlushStageAuthorizersCacheCommand({
      restApiId: required(env.restApiId),
      stageName: required(env.stageName),
    }),
  );
}

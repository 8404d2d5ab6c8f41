import { APIGatewayClient, FlushStageAuthorizersCacheCommand } from '@aws-sdk/client-api-gateway';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { clientConfiguration, endpoints } from '../aws/configuration.ts';
import { sqs } from '../aws/queues.ts';
import { env, required } from '../env.ts';
import { describeError, log } from '../logs/log.ts';

/**
 * Asks for a flush of the authorizer's cache now and for another one later. An authorizer that has read the key just before the change can
 * respond after the first flush, and its response would be cached.
 * @throws Error if SQS does not accept both messages
 */
export async function askForFlush(): Promise<void> {
  const { Failed = [] } = await sqs().send(
    new SendMessageBatchCommand({
      QueueUrl: required(env.keyChangesQueue),
      Entries: [
        { Id: 'now', MessageBody: '{"flush":"now"}' },
        {
          Id: 'again',
          MessageBody: '{"flush":"again"}',
          DelaySeconds: Number(required(env.staleAnswerSeconds)),
        },
      ],
    }),
  );
  if (Failed.length > 0) throw new Error(`SQS has not taken a flush: ${Failed[0]?.Code}`);
}

/**
 * Like `askForFlush`, but never fails. Use it after a change whose repetition would not ask again, and whose response must not be lost. Without
 * the flush, the change takes effect when the cached responses expire.
 */
export const tryToAskForFlush = (): Promise<void> =>
  askForFlush().catch((error: unknown) =>
    log.error('the cache of the authorizer was not flushed', { error: describeError(error) }),
  );

let client: APIGatewayClient | undefined;

/** Empties the authorizer's cache, so the next request with each key asks the authorizer. */
export async function flushAuthorizer(): Promise<void> {
  client ??= new APIGatewayClient(clientConfiguration(endpoints.apiGateway()));
  await client.send(
    new FlushStageAuthorizersCacheCommand({
      restApiId: required(env.restApiId),
      stageName: required(env.stageName),
    }),
  );
}

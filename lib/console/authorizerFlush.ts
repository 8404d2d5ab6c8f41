import { APIGatewayClient, FlushStageAuthorizersCacheCommand } from '@aws-sdk/client-api-gateway';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { clientConfiguration, endpoints } from '../aws/configuration.ts';
import { sqs } from '../aws/queues.ts';
import { env, required } from '../env.ts';
import { describeError, log } from '../logs/log.ts';

/**
 * Asks for a flush of the authorizer's cache now, and for another one later: an authorizer that has read the key just before the
 * change can answer after the first flush, and that answer would be cached.
 * @throws Error when SQS does not take both
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
 * The same after a change whose repetition would not ask again, and whose answer must not be lost. Without the flush, the change counts
 * when the cached answers have expired.
 */
export const tryToAskForFlush = (): Promise<void> =>
  askForFlush().catch((error: unknown) =>
    log.error('the cache of the authorizer was not flushed', { error: describeError(error) }),
  );

let client: APIGatewayClient | undefined;

/** Empties the cache of the authorizer's answers: the next request with each key asks the authorizer. */
export async function flushAuthorizer(): Promise<void> {
  client ??= new APIGatewayClient(clientConfiguration(endpoints.apiGateway()));
  await client.send(
    new FlushStageAuthorizersCacheCommand({
      restApiId: required(env.restApiId),
      stageName: required(env.stageName),
    }),
  );
}

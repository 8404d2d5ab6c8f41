import type { APIGatewayRequestAuthorizerEvent, AuthResponse } from 'aws-lambda';
import type { Item } from '../dynamodb/item.ts';
import { denialReason, suspendedReason } from '../errors/apiError.ts';
import { contextOf, type Ended, endedBy, grantOf } from '../keys/access.ts';
import { findSecret } from '../keys/storedKeys.ts';
import { suspendedSince } from '../keys/suspension.ts';
import { addLogContext, describeError, type LogFields, log, setLogContext } from '../logs/log.ts';
import { timed } from '../logs/metrics.ts';
import { apiKeysOf } from './apiEvent.ts';

/**
 * API Gateway returns 401 for exactly this message, and 500 for every other error. A missing, unknown, expired or revoked key gets 401. An
 * internal error gets 500, because clients stop using a key after 401.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
const unauthorized = () => new Error('Unauthorized');

/** Decides about the API key of a request. @throws Error('Unauthorized') for a key that grants nothing, another error if that could not be decided */
export async function authorize(event: APIGatewayRequestAuthorizerEvent): Promise<AuthResponse> {
  const { requestId, extendedRequestId } = event.requestContext ?? {};
  setLogContext({ request_id: requestId, extended_request_id: extendedRequestId, operation: 'authorizer' });
  const started = performance.now();
  try {
    const decision = await decide(event);
    const outcome = decision?.effect === 'Allow' ? 'allowed' : 'refused';
    const counted = outcome === 'refused' ? 'keys_refused' : undefined;
    log.info('authorizer', timed(outcome, performance.now() - started, counted));
    if (decision) return answerOf(decision, event.methodArn);
  } catch (error) {
    log.error('authorizer', {
      ...timed('failed', performance.now() - started, 'keys_not_checked'),
      error: describeError(error),
    });
    throw error;
  }
  throw unauthorized();
}

/** The decision about a valid key: Allow, or Deny while its account is suspended. */
interface Decision {
  context: ReturnType<typeof contextOf>;
  effect: 'Allow' | 'Deny';
}

async function decide(event: APIGatewayRequestAuthorizerEvent): Promise<Decision | undefined> {
  const [key, another] = apiKeysOf(event.multiValueHeaders);
  if (!key || another !== undefined) return undefined;
  const now = new Date();
  const item = await findSecret(key);
  if (!item) return undefined;
  const grant = grantOf(item, now);
  if (!grant) {
    addLogContext(endedFields(event, item, endedBy(item, now)));
    return undefined;
  }
  const context = contextOf(grant, item.pk as string);
  addLogContext({ key_id: context.key_id, account: context.account_id });
  const suspended = await suspendedSince(context.account_id);
  return { context, effect: suspended === undefined ? 'Allow' : 'Deny' };
}

/** The console's messages for requests whose key has ended. The client gets the same 401 as for an unknown key. */
const endings: Record<Ended, string> = {
  revoked: 'This API key was revoked',
  expired: 'This API key has expired',
  replaced: 'This secret of the API key was replaced, and its overlap has ended',
};

/** The fields of a log line that lets the console of the key's account show the request. The access log does not know the account. */
const endedFields = (
  { httpMethod: method, resource, requestContext }: APIGatewayRequestAuthorizerEvent,
  { account_id: account, key_id }: Item,
  ended: Ended | undefined,
): LogFields => ({
  ...{ account, key_id, method, resource, status: 401, time_ms: requestContext?.requestTimeEpoch },
  error_message: ended && endings[ended],
});

/**
 * Returns a policy that covers every route of the stage and not only the requested one. The gateway caches it by the key alone, so a narrower
 * policy would refuse the next request. The endpoint decides by `access` which routes the key may use. If the request is denied, the gateway
 * returns 403 (ACCESS_DENIED) without calling a function, so a suspended account costs nothing.
 */
const answerOf = ({ context, effect }: Decision, methodArn: string): AuthResponse => ({
  principalId: context.key_id,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: wholeStage(methodArn) }],
  },
  // API Gateway appends the reason to `deniedMessage`.
  context: { ...context, ...(effect === 'Deny' ? { [denialReason]: suspendedReason } : {}) },
});

/** Turns `arn:…:api-id/v1/GET/contacts` into `arn:…:api-id/v1/*`. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;

import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorStatus, errorBody, suspendedMessage, unauthorizedMessage } from '../../lib/apiError.ts';
import { answerHeaders, requestIdHeader } from '../../lib/contract/answer.ts';
import { platformMessages } from '../../lib/contract/reference/errorDescriptions.ts';

type Answer = [status: ErrorStatus, message: string];

const badRequest: Answer = [400, 'The request is not valid'];
const forbidden: Answer = [403, 'The request was refused'];
const noRoute: Answer = [404, platformMessages.noRoute];
const tooMany: Answer = [429, platformMessages.throttled];
const broken: Answer = [500, platformMessages.broken];
const slow: Answer = [504, platformMessages.slow];

/**
 * Everything that API Gateway itself may answer, in the one shape that errors have. All of its types are here.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const answers: Record<string, Answer> = {
  // What the authorizer denies, and it denies only keys of accounts that are suspended.
  ACCESS_DENIED: [403, suspendedMessage],
  API_CONFIGURATION_ERROR: broken,
  AUTHORIZER_CONFIGURATION_ERROR: broken,
  AUTHORIZER_FAILURE: broken,
  BAD_REQUEST_BODY: badRequest,
  BAD_REQUEST_PARAMETERS: badRequest,
  EXPIRED_TOKEN: forbidden,
  INTEGRATION_FAILURE: broken,
  INTEGRATION_TIMEOUT: slow,
  INVALID_API_KEY: forbidden,
  INVALID_SIGNATURE: forbidden,
  // What it says about a path or a method that does not exist.
  MISSING_AUTHENTICATION_TOKEN: noRoute,
  QUOTA_EXCEEDED: tooMany,
  // It stands here for the day on which it counts: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
  REQUEST_TOO_LARGE: [413, platformMessages.tooLarge],
  RESOURCE_NOT_FOUND: noRoute,
  THROTTLED: tooMany,
  UNAUTHORIZED: [401, unauthorizedMessage],
  // What it says about a body that is in no coding it knows, or not in the one that the request names.
  UNSUPPORTED_MEDIA_TYPE: [415, platformMessages.unreadable],
  WAF_FILTERED: forbidden,
};

/** A status on these two would change that of every other answer of their class, so they have none. */
const defaults: Record<string, Answer> = { DEFAULT_4XX: badRequest, DEFAULT_5XX: broken };

/** Added through the API and not beside it, so that a changed answer comes with a new deployment and takes effect. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, [status, message]] of Object.entries({ ...answers, ...defaults })) {
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      ...(type in defaults ? {} : { statusCode: String(status) }),
      responseHeaders: headers(type === 'THROTTLED' ? { 'Retry-After': '1' } : {}),
      // Static: the variables that API Gateway offers here are either quoted already or not escaped.
      templates: { 'application/json': JSON.stringify(errorBody(status, message)) },
    });
  }
}

/** Literal values stand in quotes of their own; without them the value names something to take it from. */
function headers(more: Record<string, string>): Record<string, string> {
  const literal = Object.entries({ ...answerHeaders, ...more }).map(([name, value]) => [name, `'${value}'`]);
  return { ...Object.fromEntries(literal), [requestIdHeader]: 'context.requestId' };
}

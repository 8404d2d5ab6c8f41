import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { answerHeaders, requestIdHeader } from '../../../lib/contract/answerHeaders.ts';
import {
  denialReason,
  deniedMessage,
  type ErrorStatus,
  errorBody,
  unauthorizedMessage,
} from '../../../lib/errors/apiError.ts';
import { platformMessages } from '../../pages/reference/prose/errorDescriptions.ts';

type Answer = [status: ErrorStatus, message: string];

const badRequest: Answer = [400, platformMessages.invalid];
const forbidden: Answer = [403, deniedMessage];
const noRoute: Answer = [404, platformMessages.noRoute];
const tooMany: Answer = [429, platformMessages.throttled];
const broken: Answer = [500, platformMessages.broken];
const slow: Answer = [504, platformMessages.slow];

/**
 * All types of gateway responses. API Gateway returns them itself, with the error body of the API.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const answers: Record<string, Answer> = {
  // The authorizer sets the reason. If something else denies the request, the reason is empty.
  ACCESS_DENIED: [403, `${deniedMessage}$context.authorizer.${denialReason}`],
  API_CONFIGURATION_ERROR: broken,
  AUTHORIZER_CONFIGURATION_ERROR: broken,
  AUTHORIZER_FAILURE: broken,
  BAD_REQUEST_BODY: badRequest,
  BAD_REQUEST_PARAMETERS: badRequest,
  // No method takes AWS signatures, but API Gateway expects one if a request with `Authorization` has an unknown path.
  EXPIRED_TOKEN: noRoute,
  INTEGRATION_FAILURE: broken,
  INTEGRATION_TIMEOUT: slow,
  INVALID_API_KEY: forbidden,
  INVALID_SIGNATURE: noRoute,
  // API Gateway's type for a path or a method that does not exist.
  MISSING_AUTHENTICATION_TOKEN: noRoute,
  QUOTA_EXCEEDED: tooMany,
  // API Gateway does not use it yet: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
  REQUEST_TOO_LARGE: [413, platformMessages.tooLarge],
  RESOURCE_NOT_FOUND: noRoute,
  THROTTLED: tooMany,
  UNAUTHORIZED: [401, unauthorizedMessage],
  // The Content-Encoding is unknown, or the body does not match it.
  UNSUPPORTED_MEDIA_TYPE: [415, platformMessages.unreadable],
  WAF_FILTERED: forbidden,
};

/** The two defaults set no status, because it would replace the status of every type in their class. */
const defaults: Record<string, Answer> = { DEFAULT_4XX: badRequest, DEFAULT_5XX: broken };

/**
 * Adds the responses with `api.addGatewayResponse`, so that a change creates a new deployment of the API. Otherwise, the change would have no
 * effect.
 */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, [status, message]] of Object.entries({ ...answers, ...defaults })) {
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      ...(type in defaults ? {} : { statusCode: String(status) }),
      responseHeaders: headers(type === 'THROTTLED' ? { 'Retry-After': '1' } : {}),
      // Contains no variables of API Gateway, because those are either already in quotes or not escaped.
      templates: { 'application/json': JSON.stringify(errorBody(status, message)) },
    });
  }
}

/** Literal values need single quotes. Without them, a value is a reference to the context or the request. */
function headers(more: Record<string, string>): Record<string, string> {
  const literal = Object.entries({ ...answerHeaders, ...more }).map(([name, value]) => [name, `'${value}'`]);
  return { ...Object.fromEntries(literal), [requestIdHeader]: 'context.requestId' };
}

/**
 * What the authorizer tells the functions of who calls. API Gateway hands texts on; what it makes of an empty one AWS says
 * nowhere, so what there is not has a word of its own.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
export interface AuthorizerContext {
  account_id: string;
  key_id: string;
  access: 'full' | 'scoped';
  /** With a space between them, or `noScopes`. */
  scopes: string;
  /** RFC 3339 UTC, or `noEnd`. */
  expires_at: string;
}

/** In the place of scopes, for full access. */
export const noScopes = 'none';

/** In the place of a time, for a key without an end. */
export const noEnd = 'never';

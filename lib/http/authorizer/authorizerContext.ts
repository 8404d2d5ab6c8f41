import type { denialReason } from '../../errors/apiError.ts';

/**
 * What the authorizer passes to the functions about the caller. API Gateway passes strings on. AWS does not document what
 * becomes of an empty string, so a missing value has a word of its own.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
export interface AuthorizerContext {
  account_id: string;
  key_id: string;
  /** The name of the secret that was used, for the access log. */
  secret: string;
  access: 'full' | 'scoped';
  /** With a space between them, or `noScopes`. */
  scopes: string;
  /** RFC 3339 UTC, or `noEnd`. */
  expires_at: string;
  /** Only where the request is denied: what API Gateway says behind `deniedMessage`. */
  [denialReason]?: string;
}

/** The value of `scopes` for full access. */
export const noScopes = 'none';

/** The value of `expires_at` for a key that does not expire. */
export const noEnd = 'never';

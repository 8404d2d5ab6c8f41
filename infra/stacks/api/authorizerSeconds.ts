/** The timeout of the authorizer. A later response is neither used nor cached. */
export const authorizerSeconds = 8;

/** How long after a change to a key an authorizer can still respond from an earlier read. */
export const staleAnswerSeconds = authorizerSeconds + 2;

/** The timeout of the authorizer. An answer after it is neither used nor cached. */
export const authorizerSeconds = 8;

/** How long after a change of a key an authorizer can still answer from an earlier read. */
export const staleAnswerSeconds = authorizerSeconds + 2;

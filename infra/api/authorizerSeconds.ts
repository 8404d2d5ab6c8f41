/** The timeout of the authorizer. An answer after it is neither used nor cached. */
export const authorizerSeconds = 8;

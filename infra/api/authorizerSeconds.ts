/** How long the authorizer may take. An answer that it gives after so long nobody hears, and nothing remembers. */
export const authorizerSeconds = 8;

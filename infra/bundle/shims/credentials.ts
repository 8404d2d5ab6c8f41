/**
 * Stands in for the SDK's chain of credential providers in a Lambda's bundle: the platform puts credentials into the
 * environment and nowhere else, so files, other services and 130 KB of code for them are not asked.
 */
export const defaultProvider = () => async () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
  ...(process.env.AWS_SESSION_TOKEN ? { sessionToken: process.env.AWS_SESSION_TOKEN } : {}),
});

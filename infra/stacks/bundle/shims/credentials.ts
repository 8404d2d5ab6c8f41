/**
 * Replaces the SDK's chain of credential providers in the bundles. Lambda puts credentials only into the environment, so 130 KB of code for
 * files and other services are not needed.
 */
export const defaultProvider = () => async () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
  ...(process.env.AWS_SESSION_TOKEN ? { sessionToken: process.env.AWS_SESSION_TOKEN } : {}),
});

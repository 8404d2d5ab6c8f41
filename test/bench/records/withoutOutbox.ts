import { env } from '../../../lib/env.ts';

// Loaded before the functions of a local stack, which then is as a stage without the setting `outbox`.

if (process.env.AWS_LAMBDA_FUNCTION_NAME !== undefined) delete process.env[env.recordsOutbox];

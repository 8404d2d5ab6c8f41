/** The file for the log of handlers that run inside a test, beside the log of the local stack's Lambdas. */
export const testLogFile = 'tests.log';

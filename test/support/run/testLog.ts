/** Where the lines of handlers that ran inside a test are kept, beside those of the Lambdas of the local stack. */
export const testLogFile = 'tests.log';

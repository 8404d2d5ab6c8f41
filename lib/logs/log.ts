/** Fields of a log line. Never log a key, a secret or personal data: lines are kept for months and read by many. */
export type LogFields = Record<string, unknown>;

let context: LogFields = {};

/** Sets fields for every line until the next call. This is safe because a Lambda works on one request at a time. */
export function setLogContext(fields: LogFields): void {
  context = fields;
}

export function addLogContext(fields: LogFields): void {
  context = { ...context, ...fields };
}

/** Returns an error and its causes as fields: name, message and stack, but no other properties. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { name: 'NonError', message: String(error) };
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

function write(level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: LogFields): void {
  // Writes directly to stdout, because console.log would wrap the line a second time in Lambda's JSON log format. A failure to write a line
  // must not fail the request.
  try {
    process.stdout.write(
      `${JSON.stringify({ timestamp: new Date().toISOString(), level, message, ...context, ...fields })}\n`,
    );
  } catch {
    process.stdout.write(`{"level":"ERROR","message":"a log line could not be written"}\n`);
  }
}

/** Writes one JSON object per line, with `timestamp` and `level`, the names that Lambda's log level filter reads. */
export const log = {
  info: (message: string, fields: LogFields = {}) => write('INFO', message, fields),
  warn: (message: string, fields: LogFields = {}) => write('WARN', message, fields),
  error: (message: string, fields: LogFields = {}) => write('ERROR', message, fields),
};

// Loaded by CDK, which writes these names, and by every Lambda, which reads them: imports nothing.

/** The environment variables of the Lambdas, and the only place that knows their names. */
export const env = {
  keysTable: 'KEYS_TABLE',
  recordsTable: 'RECORDS_TABLE',
} as const;

/** The value of a variable that must be there; a missing one stops the process and names itself. */
export function required(name: (typeof env)[keyof typeof env]): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}

/** The environment variables of the Lambdas, and the only place that knows their names. */
export const env = {
  keysTable: 'KEYS_TABLE',
  recordsTable: 'RECORDS_TABLE',
  recordsInbox: 'RECORDS_INBOX_URL',
  recordsRetries: 'RECORDS_RETRIES_URL',
  webhooksTable: 'WEBHOOKS_TABLE',
  deliveriesQueue: 'DELIVERIES_QUEUE_URL',
  slowDeliveriesQueue: 'SLOW_DELIVERIES_QUEUE_URL',
  /** What masks the positions in ids. Whoever has it reads from an id how many records there are. */
  idKey: 'ID_KEY',
  /** '1' where data is kept: keys that begin with pak_test_ open nothing there. */
  refuseTestKeys: 'REFUSE_TEST_KEYS',
  deferredChangesQueue: 'DEFERRED_CHANGES_QUEUE_URL',
  /** Under which CloudWatch keeps our metrics: the name of the stack, so that those of two stages do not blend. */
  metricsNamespace: 'METRICS_NAMESPACE',
  /** Which version of its code a function runs. Lambda sets it. */
  functionVersion: 'AWS_LAMBDA_FUNCTION_VERSION',
  /** '1' lets webhooks go to this machine. Only the local stack sets it: in Lambda, loopback is the runtime's own API. */
  allowLoopbackReceivers: 'ALLOW_LOOPBACK_RECEIVERS',
} as const;

type Name = (typeof env)[keyof typeof env];

/** The value of a variable that must be there; a missing one stops the process and names itself. */
export function required(name: Name): string {
  const value = optional(name);
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}

/** The value of a variable that may be missing. */
export const optional = (name: Name): string | undefined => process.env[name];

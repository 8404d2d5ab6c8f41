/** The names of the Lambdas' environment variables. No other file contains them. */
export const env = {
  keysTable: 'KEYS_TABLE',
  recordsTable: 'RECORDS_TABLE',
  indexTable: 'INDEX_TABLE',
  recordsInbox: 'RECORDS_INBOX_URL',
  recordsRetries: 'RECORDS_RETRIES_URL',
  /** The outbox of the product; missing if the stage has none. */
  recordsOutbox: 'RECORDS_OUTBOX_URL',
  /** Which changes the outbox receives: clients or all. */
  outboxChanges: 'OUTBOX_CHANGES',
  webhooksTable: 'WEBHOOKS_TABLE',
  sessionsTable: 'SESSIONS_TABLE',
  usageTable: 'USAGE_TABLE',
  /** The ids of the operations of the public API by method and path, as JSON. */
  routes: 'ROUTES',
  activityTable: 'ACTIVITY_TABLE',
  activityDays: 'ACTIVITY_DAYS',
  quickDeliveriesQueue: 'QUICK_DELIVERIES_QUEUE_URL',
  slowDeliveriesQueue: 'SLOW_DELIVERIES_QUEUE_URL',
  /** The ID-masking key, which hides positions. Anyone who knows it can tell from an id how many records there are. */
  idKey: 'ID_KEY',
  /** '1' if data is kept. Keys that begin with pak_test_ are refused there. */
  refuseTestKeys: 'REFUSE_TEST_KEYS',
  deferredFanOutQueue: 'DEFERRED_FAN_OUT_QUEUE_URL',
  deferredIndexQueue: 'DEFERRED_INDEX_QUEUE_URL',
  /** The URL of the console's page, with a slash at the end. */
  consoleUrl: 'CONSOLE_URL',
  /** Where people get a new session; may be missing. */
  consoleRenewUrl: 'CONSOLE_RENEW_URL',
  consoleReferenceUrl: 'CONSOLE_REFERENCE_URL',
  apiUrl: 'API_URL',
  /** The queue that takes requests to flush the authorizer's cache. */
  keyChangesQueue: 'KEY_CHANGES_QUEUE_URL',
  /** How long after a change to a key an authorizer can still respond from an earlier read. */
  staleAnswerSeconds: 'STALE_ANSWER_SECONDS',
  restApiId: 'REST_API_ID',
  stageName: 'STAGE_NAME',
  /** The environment of keys that the console creates: live or test. */
  keyEnvironment: 'KEY_ENVIRONMENT',
  /** The namespace of our metrics in CloudWatch: the name of the stack, so that two stages share no metric. */
  metricsNamespace: 'METRICS_NAMESPACE',
  /** The version of the function's code. Lambda sets it. */
  functionVersion: 'AWS_LAMBDA_FUNCTION_VERSION',
  /** '1' allows webhooks to loopback addresses. Only the local stack sets it: in Lambda, loopback is the runtime's own API. */
  allowLoopbackReceivers: 'ALLOW_LOOPBACK_RECEIVERS',
} as const;

type Name = (typeof env)[keyof typeof env];

/** Returns the value of a variable. @throws Error that names the variable if it is not set */
export function required(name: Name): string {
  const value = optional(name);
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}

export const optional = (name: Name): string | undefined => process.env[name];

/**
 * The outputs by which commands find the resources of a stage. The local stack lists them in its stack file, with a small first letter. Outputs
 * of the outbox exist only in a stage with an outbox.
 */
export const outputNames = [
  'KeysTable',
  'RecordsTable',
  'IndexTable',
  'WebhooksTable',
  'SessionsTable',
  'ActivityTable',
  'UsageTable',
  'ActivityDays',
  'RecordsInboxUrl',
  'RecordsInboxDeadLettersUrl',
  'RecordsOutboxUrl',
  'QuickDeliveriesUrl',
  'SlowDeliveriesUrl',
  'DeliveriesDeadLettersUrl',
  'DeferredFanOutUrl',
  'DeferredFanOutDeadLettersUrl',
  'DeferredIndexUrl',
  'DeferredIndexDeadLettersUrl',
  'KeyChangesUrl',
  'DeleteRecordFunction',
  'AskRecordsFunction',
  'ConsoleLinkFunction',
  'FanOutFunction',
  'IndexFunction',
  'IndexLogsFunction',
  'RestApiId',
  'StageName',
] as const;

export type OutputName = (typeof outputNames)[number];

export type Outputs = { [Name in OutputName as Uncapitalize<Name>]: string };

const partOf = (name: OutputName) => name.replace(/^./, (first) => first.toLowerCase()) as keyof Outputs;

export const readOutputs = (read: (name: OutputName) => string): Outputs =>
  Object.fromEntries(outputNames.map((name) => [partOf(name), read(name)])) as Outputs;

export const outputIn = (outputs: Outputs, name: OutputName): string => outputs[partOf(name)];

/** All test files. */
export const testFiles = 'test/**/*.test.ts';

/**
 * The test files of the project `unit`: they need no local stack, and together they take seconds. All other files
 * belong to the project `stack`, which starts one.
 */
export const unitFiles = [
  'test/architecture.test.ts',
  'test/linear.test.ts',
  'test/logAudit.test.ts',
  'test/properties.test.ts',
  'test/exploration/exploration.test.ts',
  'test/simulation/simulation.test.ts',
  'test/visible.test.ts',
  'test/work.test.ts',
  'test/bench/{cost,pictures,report}/*.test.ts',
  'test/compatibility/eventTypes.test.ts',
  'test/console/{figures,pageFiles,words}.test.ts',
  'test/infra/{numeralsAbove,workflows}.test.ts',
  'test/lib/*.test.ts',
  'test/lib/changes/{kept,pendingChange}.test.ts',
  'test/lib/contract/!(openapiExamples).test.ts',
  'test/lib/dynamodb/packTransaction.test.ts',
  'test/lib/inbox/schema.test.ts',
  'test/lib/index/{buckets,chunk,everyFilter,lag,positionSet}.test.ts',
  'test/lib/keys/{access,format}.test.ts',
  'test/lib/records/{position,range}.test.ts',
  'test/lib/webhooks/*.test.ts',
  'test/local/database/tables.test.ts',
  'test/local/gateway/{awsControlApi,consolePage,referencePage}.test.ts',
  'test/local/lambda/{asyncInvocations,lambda,schedules}.test.ts',
  'test/local/logs/logGroups.test.ts',
  'test/local/process/{progress,startError}.test.ts',
  'test/local/stream/checkpoints.test.ts',
  'test/local/stream/eventFilter.test.ts',
  'test/local/stream/readPauses.test.ts',
  'test/local/template/template.test.ts',
  'test/ops/{lineFormat,lineProgress,lines}.test.ts',
  'test/soak/{faults,model,report}/*.test.ts',
] as const;

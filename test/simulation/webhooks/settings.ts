/** The settings of the webhook pipeline in the stage `dev`. `test/infra/stacks/template.test.ts` compares them with its template. */
export const settings = {
  changes: { batchSize: 100, batchesAtOnce: 2 },
  deferred: { batchSize: 1, concurrency: 3 },
  deliveries: { batchSize: 10, concurrency: 20 },
} as const;

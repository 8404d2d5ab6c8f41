/** The settings of the pipeline in the stage `dev`. `test/infra/stacks/template.test.ts` compares them with its template. */
export const settings = {
  webhooks: {
    changes: { batchSize: 100, batchesAtOnce: 2 },
    deferred: { batchSize: 1, concurrency: 3 },
    deliveries: { batchSize: 10, concurrency: 20 },
  },
  index: {
    changes: { batchSize: 100, batchesAtOnce: 2 },
    deferred: { batchSize: 1, concurrency: 2 },
  },
} as const;

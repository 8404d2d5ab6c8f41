/** What the template of the stage `dev` says of the webhook pipeline. `test/infra/stacks/template.test.ts` compares the two. */
export const settings = {
  changes: { batchSize: 100, batchesAtOnce: 2 },
  deferred: { batchSize: 1, concurrency: 3 },
  deliveries: { batchSize: 10, concurrency: 20 },
} as const;

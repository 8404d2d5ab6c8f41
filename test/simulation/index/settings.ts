/** What the template of the stage `dev` says of the index. `test/infra/stacks/template.test.ts` compares the two. */
export const settings = {
  changes: { batchSize: 100, batchesAtOnce: 2 },
  deferred: { batchSize: 1, concurrency: 2 },
} as const;

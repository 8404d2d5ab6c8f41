import * as z from 'zod';

/** What differs between the stages of the product. */
const stageSettings = z.strictObject({
  /** Data survives the stack, and its tables cannot be deleted. */
  keepData: z.boolean(),
  /** How long the gateway believes an answer of the authorizer. A revoked key may work that much longer where the cache cannot be flushed. */
  authorizerCacheSeconds: z.int().min(0).max(3600),
  logRetentionDays: z.union([z.literal(14), z.literal(90)]),
  /** Memory of the functions in MB; CPU time comes in proportion to it. */
  memoryMb: z.int().min(128).max(10_240),
});

export type StageSettings = z.output<typeof stageSettings>;

const stages: Record<string, z.input<typeof stageSettings>> = {
  dev: { keepData: false, authorizerCacheSeconds: 60, logRetentionDays: 14, memoryMb: 512 },
  prod: { keepData: true, authorizerCacheSeconds: 60, logRetentionDays: 90, memoryMb: 1024 },
};

/**
 * The settings of a stage, by the name that stands behind `-c stage=`.
 * @throws Error that names the stages there are
 */
export function settingsOf(stage: string): StageSettings {
  const settings = Object.hasOwn(stages, stage) ? stages[stage] : undefined;
  if (!settings) throw new Error(`There is no stage "${stage}"; there are ${Object.keys(stages).join(', ')}`);
  return stageSettings.parse(settings);
}

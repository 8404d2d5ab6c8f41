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
  /** Who gets a mail when an alarm begins or ends, once they have confirmed that they want it. */
  alarmEmail: z.email().optional(),
});

export type StageSettings = z.output<typeof stageSettings>;

const stages: Record<string, z.input<typeof stageSettings>> = {
  dev: { keepData: false, authorizerCacheSeconds: 60, logRetentionDays: 14, memoryMb: 512 },
  prod: { keepData: true, authorizerCacheSeconds: 60, logRetentionDays: 90, memoryMb: 1024 },
};

export const stageNames = Object.keys(stages);

/** The settings of a stage, by the name that stands behind `-c stage=`; undefined when there is no such stage. */
export const settingsOf = (stage: string): StageSettings | undefined =>
  Object.hasOwn(stages, stage) ? stageSettings.parse(stages[stage]) : undefined;

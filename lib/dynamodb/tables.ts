import { env } from '../env.ts';
import { TableHandle } from './tableHandle.ts';

// The tables. The file table.ts of each folder describes the items of its table.

export const keys = new TableHandle(env.keysTable);
export const records = new TableHandle(env.recordsTable);
export const index = new TableHandle(env.indexTable);
export const webhooks = new TableHandle(env.webhooksTable);
export const sessions = new TableHandle(env.sessionsTable);
export const usage = new TableHandle(env.usageTable);
export const activity = new TableHandle(env.activityTable);

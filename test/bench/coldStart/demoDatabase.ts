import { mkdirSync } from 'node:fs';
import { openDatabase } from '../../../infra/local/database/localDatabase.ts';
import { startStackProcess } from '../../support/stack/stackProcess.ts';
import { startTlsProxy } from './tlsProxy.ts';

/** The embedded database with the data of the demo account, as functions reach it. */
export interface DemoDatabase
  extends Pick<Awaited<ReturnType<typeof startStackProcess>>, 'ready' | 'description'> {
  /** The port of the TLS proxy, which stands for AWS. */
  port: number;
}

/** Measures with a database of its own. A stack fills it, and is stopped before the measurement. */
export async function withDemoDatabase<Result>(
  folder: string,
  measure: (database: DemoDatabase) => Promise<Result>,
): Promise<Result> {
  mkdirSync(folder, { recursive: true });
  const { ready, description, stop } = await startStackProcess(folder);
  await stop();
  const database = await openDatabase(folder);
  const proxy = await startTlsProxy(database.endpoint);
  try {
    return await measure({ ready, description, port: proxy.port });
  } finally {
    await proxy.close();
    await database.stop();
  }
}

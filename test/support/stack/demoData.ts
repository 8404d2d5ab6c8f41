import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkpointsFile } from '../../../infra/local/process/dataFolder.ts';
import { readJson } from '../../../infra/local/process/stackFile.ts';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { removeFolder, root, startStackProcess, temporaryFolder } from './stackProcess.ts';

/** The files of a data directory that belong to one process of a stack. */
const ofOneProcess = ['lambda.log', 'lock.pid', 'lock.sqlite', 'stack.json'];

/**
 * A data directory with the demo data, made by a stack of the project as it stands. Stacks that tests start begin with a copy of
 * it: to make the demo data takes three times as long as the start itself. It is a day old at most, so that nothing in it has expired.
 * @returns a folder of the run, because another run may remove what is older
 */
export async function currentDemoData(): Promise<string> {
  const folders = join(root, 'build', 'demo-data');
  mkdirSync(folders, { recursive: true });
  for (const name of readdirSync(folders)) if (isOld(join(folders, name))) removeFolder(join(folders, name));
  const folder = join(folders, basename(await currentAssembly()));
  const made = temporaryFolder();
  if (existsSync(folder)) {
    cpSync(folder, made, { recursive: true });
    return made;
  }
  const stack = await startStackProcess(made, { firstStart: true });
  await streamsHandled(made);
  await stack.stop();
  for (const file of ofOneProcess) rmSync(join(made, file), { force: true });
  // Renamed in one step, because another run may make it at the same time. The temporary folder may be on another disk.
  const draft = `${folder}.${process.pid}`;
  cpSync(made, draft, { recursive: true });
  try {
    renameSync(draft, folder);
  } catch {
    removeFolder(draft);
  }
  return made;
}

/** Another run may have removed it just now. */
const isOld = (folder: string): boolean =>
  Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 24 * 3_600_000;

/** The positions of the readers of streams, as a stack keeps them. */
type Positions = Record<string, { stream: string; position?: string }>;

/** Waits until all changes of the demo data are handled: otherwise each stack that begins with a copy would handle them again. */
async function streamsHandled(folder: string): Promise<void> {
  const database = new DatabaseSync(join(folder, 'dynamodb.sqlite'), { readOnly: true, timeout: 5000 });
  const newest = database.prepare(
    'SELECT MAX(CAST(sequence_number AS INTEGER)) AS number FROM _stream_records WHERE table_name = ?',
  );
  // A file that is just being written may be read in part. A stream without changes has nothing to handle.
  const areHandled = (): boolean => {
    const positions = readJson<Positions>(join(folder, checkpointsFile));
    return (
      positions !== undefined &&
      Object.values(positions).every(({ stream, position }) => {
        const { number } = newest.get(stream.split('/')[1] as string) as { number: number | null };
        return number === null || position === String(number);
      })
    );
  };
  while (!areHandled()) await sleep(50);
  database.close();
}

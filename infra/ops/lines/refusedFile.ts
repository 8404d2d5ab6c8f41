import { appendFileSync, rmSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { OpsError } from '../../terminal/opsError.ts';

/** The file of the refused lines. They are personal data, so only the owner of the file may read it. */
export class RefusedFile {
  readonly path: string;

  /**
   * Removes the file of an earlier run, because its lines would be mistaken for lines of this run.
   * @param input the imported file, which can have several paths
   * @throws OpsError, before anything is removed, when the path is not such a file
   */
  constructor(path: string, input: Stats) {
    this.path = resolve(path);
    this.attempt(() => {
      const there = statSync(this.path, { throwIfNoEntry: false });
      if (there && !there.isFile()) throw new Error('it is not a file');
      if (there && there.dev === input.dev && there.ino === input.ino)
        throw new Error('it is the file that is imported');
      rmSync(this.path, { force: true });
    });
  }

  add(refused: { line: number; reason: string; text: string }): void {
    this.attempt(() => appendFileSync(this.path, `${JSON.stringify(refused)}\n`, { mode: 0o600 }));
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw new OpsError(
        `Refused lines cannot be written to ${this.path}: ${(error as Error).message}. Name another file with --refused.`,
      );
    }
  }
}

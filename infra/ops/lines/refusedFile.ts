import { appendFileSync, rmSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { OpsError } from '../opsError.ts';

/** The file that keeps the lines which were refused. They are data of people, so it is for its owner only. */
export class RefusedFile {
  readonly path: string;

  /**
   * Removes what an earlier run has left there, which would be taken for this one's.
   * @param input what is imported, which may have several names
   * @throws OpsError, and nothing was removed, when it is another kind of thing than such a file
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

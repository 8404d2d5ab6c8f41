/** A run of the command. */
export interface RedriveJob {
  /** Only work of this account; everything when it is undefined. */
  account: string | undefined;
  /** Reports what would be done, and changes nothing. */
  dryRun: boolean;
  tally: Tally;
}

/** Counts what is tried again, and reports why something is not. */
export class Tally {
  again = 0;
  stays = 0;

  stay(what: string, reason: string): void {
    this.stays += 1;
    console.error(`${what} stays: ${reason}`);
  }
}

/** What is tried again, and what came of it. */
export interface RedriveJob {
  /** Only what is this account's; everything when it is left out. */
  account: string | undefined;
  /** Looks, says what would be done, and changes nothing. */
  dryRun: boolean;
  tally: Tally;
}

/** Counts what is tried again, and says why something is not. */
export class Tally {
  again = 0;
  stays = 0;

  stay(what: string, reason: string): void {
    this.stays += 1;
    console.error(`${what} stays: ${reason}`);
  }
}

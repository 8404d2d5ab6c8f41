import { readCount } from '../records/head.ts';
import type { CollectionRef } from '../records/keys.ts';

/** The length of a collection for one request, which reads it when it is first needed, and once. Strongly consistent. */
export class Length {
  private readonly ref: CollectionRef;
  private reading: Promise<number> | undefined;

  constructor(ref: CollectionRef) {
    this.ref = ref;
  }

  read(): Promise<number> {
    this.reading ??= readCount(this.ref);
    return this.reading;
  }
}

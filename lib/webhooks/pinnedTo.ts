import type { LookupFunction } from 'node:net';
import type { LookupAddress } from './address.ts';

/** Hands the connection the addresses that were checked, in either of the forms it may ask for. */
export const pinnedTo =
  (addresses: LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses as [LookupAddress];
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };

import { badRequest } from '../../apiError.ts';
import { addressProblem } from '../sending/address.ts';

/** @throws ApiError 400 when a URL leads nowhere, or to where none of ours may lead */
export async function assertReachable(url: string): Promise<void> {
  const problem = await addressProblem(url);
  if (problem !== undefined) throw badRequest([`url ${problem}`]);
}

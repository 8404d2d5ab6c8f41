import { badRequest } from '../../apiError.ts';
import { problemOf } from '../../problem.ts';
import { addressProblem } from '../sending/address.ts';

/** @throws ApiError 400 when the host of a URL has no address, or one that webhooks may not connect to */
export async function assertReachable(url: string): Promise<void> {
  const problem = await addressProblem(url);
  if (problem !== undefined) throw badRequest([problemOf('url', problem)]);
}

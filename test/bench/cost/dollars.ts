import type { Units } from './consumed.ts';
import priceList from './prices.json' with { type: 'json' };

export const { date, region, dollars: prices } = priceList;

/** The units, time and memory of one call of a Lambda. */
export interface Usage extends Units {
  ms: number;
  memoryMb: number;
}

/** Dollars for a million calls of a Lambda and for what they consume of the tables. Its time is billed in whole milliseconds. */
export const lambdaDollars = ({ ms, memoryMb, read, write }: Usage): number =>
  prices.lambdaMillionRequests +
  1e6 * (Math.ceil(ms) / 1000) * (memoryMb / 1024) * prices.lambdaArmGigabyteSecond +
  read * prices.dynamodbMillionReadUnits +
  write * prices.dynamodbMillionWriteUnits;

/**
 * Dollars for a million requests to the API.
 * @param authorized the share of the requests for which the authorizer is called, from 0 to 1
 */
export const requestDollars = (work: Usage, authorizer: Usage, authorized: number): number =>
  prices.restApiMillionRequests + lambdaDollars(work) + authorized * lambdaDollars(authorizer);

/** Dollars for a million messages through a queue: each is sent, received and deleted. A call can carry ten. */
export const queueDollars = 3 * prices.sqsMillionRequests;

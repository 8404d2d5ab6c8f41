import priceList from './prices.json' with { type: 'json' };

export const { date, region, dollars: prices } = priceList;

/** Read and write request units of DynamoDB. */
export interface Units {
  read: number;
  write: number;
}

/** The units, time and memory of one call of a Lambda. */
export interface Usage extends Units {
  ms: number;
  memoryMb: number;
}

/** What one of something takes, such as an event: of a call that does several, its share. */
export interface Work extends Usage {
  invocations: number;
  sqsCalls: number;
}

/** Dollars for a million times this work. */
export const workDollars = ({ invocations, sqsCalls, ms, memoryMb, read, write }: Work): number =>
  invocations * prices.lambdaMillionRequests +
  1e6 * (ms / 1000) * (memoryMb / 1024) * prices.lambdaArmGigabyteSecond +
  read * prices.dynamodbMillionReadUnits +
  write * prices.dynamodbMillionWriteUnits +
  sqsCalls * prices.sqsMillionCalls;

/** Dollars for a million calls of a Lambda and for what they consume of the tables. Its time is billed in whole milliseconds. */
export const lambdaDollars = ({ ms, ...usage }: Usage): number =>
  workDollars({ ...usage, ms: Math.ceil(ms), invocations: 1, sqsCalls: 0 });

/**
 * Dollars for a million requests to the API.
 * @param authorized the share of the requests for which the authorizer is called, from 0 to 1
 */
export const requestDollars = (work: Usage, authorizer: Usage, authorized: number): number =>
  prices.restApiMillionRequests + lambdaDollars(work) + authorized * lambdaDollars(authorizer);

/** Dollars for a million messages through a queue: each is sent, received and deleted. A call can carry ten. */
export const queueDollars = 3 * prices.sqsMillionCalls;

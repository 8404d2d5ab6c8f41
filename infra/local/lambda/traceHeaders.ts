import { createHash, randomBytes } from 'node:crypto';

// Lambda and SQS pass the trace header from invocation to message to invocation. Root identifies the chain of requests, and Lineage
// counts the invocations of each function in it. Lambda detects loops by Lineage. AWS does not document Lineage; its format
// here is that of the tests of the AWS SDKs.
// https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader

export const traceHeader = 'x-amzn-trace-id';

/** The system attribute of a message with the trace header of its sender. */
export const traceAttribute = 'AWSTraceHeader';

/** The trace header of an invocation, and the number of invocations of the function in its chain, this one included. */
export interface Trace {
  header: string;
  invocations: number;
}

/** A header that does not match was not sent by a function. It is ignored. */
const headerPattern = /^[\w=:;,.-]+$/;

/**
 * @param receivedHeaders the trace headers of the messages that cause the invocation. Without any, a new chain begins. A batch may
 * have messages of several chains. AWS does not document which of them continues; here it is the longest.
 */
export function traceOf(functionName: string, receivedHeaders: readonly string[]): Trace {
  const traces = receivedHeaders
    .filter((header) => headerPattern.test(header))
    .map((header) => nextOf(functionName, header))
    .sort((a, b) => b.invocations - a.invocations);
  return traces[0] ?? nextOf(functionName, newRoot());
}

function nextOf(functionName: string, came: string): Trace {
  const fields = new Map(came.split(';').map((field) => field.split('=') as [string, string]));
  const links = (fields.get('Lineage') ?? '').split(',').map((link) => link.split(':') as [string, string]);
  const lineage = new Map(links.filter(([, count]) => Number(count) > 0));
  const name = createHash('sha256').update(functionName).digest('hex').slice(0, 8);
  const invocations = Number(lineage.get(name) ?? 0) + 1;
  lineage.set(name, String(invocations));
  fields.set('Lineage', [...lineage].map((link) => link.join(':')).join(','));
  return { header: [...fields].map((field) => field.join('=')).join(';'), invocations };
}

/** @returns the trace header of a new chain of requests */
export const newRoot = (): string =>
  `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString('hex')}`;

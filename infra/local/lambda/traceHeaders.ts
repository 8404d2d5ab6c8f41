import { createHash, randomBytes } from 'node:crypto';

// Lambda and SQS pass a header on, from invocation to message to invocation. It tells where a chain of requests began
// (Root), and how often each function was invoked in it (Lineage). Lambda finds loops by it. AWS documents the header
// without its part Lineage; the form here is the one that the tests of the SDKs have.
// https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader

export const traceHeader = 'x-amzn-trace-id';

/** A message's system attribute that has the trace header of whoever sent it. */
export const traceAttribute = 'AWSTraceHeader';

/** The trace header of an invocation, and how often the function has been invoked in its chain of requests, this time included. */
export interface Trace {
  header: string;
  invocations: number;
}

/** What is none comes from somebody who is no function of ours: no chain goes on with it. */
const headerPattern = /^[\w=:;,.-]+$/;

/**
 * @param receivedHeaders the trace headers of what caused the invocation; without one a chain begins. A batch is one invocation of
 * all its messages. AWS does not say which of their chains goes on then: here it is the longest.
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

/** @returns the trace header of whoever begins a chain of requests */
export const newRoot = (): string =>
  `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString('hex')}`;

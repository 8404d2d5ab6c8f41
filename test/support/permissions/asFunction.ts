import { AsyncLocalStorage } from 'node:async_hooks';
import type { FunctionId } from './access.ts';

const running = new AsyncLocalStorage<FunctionId>();

/** Which function runs in this process; undefined while a test does something itself. */
export const runningFunction = (): FunctionId | undefined => running.getStore();

/** A handler for tests to call: what it asks of AWS in this process is noted as what its function asks. */
export const asFunction = <Handler extends (...args: never[]) => unknown>(
  id: FunctionId,
  handler: Handler,
): Handler => ((...args) => running.run(id, () => handler(...args))) as Handler;

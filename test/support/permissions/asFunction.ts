import { AsyncLocalStorage } from 'node:async_hooks';
import type { FunctionId } from './access.ts';

const running = new AsyncLocalStorage<FunctionId>();

/** The function that runs in this process; undefined while a test makes calls itself. */
export const runningFunction = (): FunctionId | undefined => running.getStore();

/** A handler for tests to call. Its requests to AWS are noted for its function. */
export const asFunction = <Handler extends (...args: never[]) => unknown>(
  id: FunctionId,
  handler: Handler,
): Handler => ((...args) => running.run(id, () => handler(...args))) as Handler;

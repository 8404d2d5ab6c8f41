import type { Plugin } from 'esbuild';
import { otherOperation } from '../../lib/contract/console/countedOperations.ts';
import { operations } from '../../lib/contract/index.ts';
import { changeableFieldsOf } from '../../lib/resources/collections.ts';
import { ofEach } from '../../lib/resources/index.ts';

const modules: Record<string, () => object> = {
  /** All by which requests are counted. An operation is there as clients write it: `GET /contacts/{contactId}`. */
  'console:operations': () => ({
    ...Object.fromEntries(operations.map(({ id, method, path }) => [id, `${method} ${path}`])),
    [otherOperation]: otherOperation,
  }),
  /** The fields of each resource that an update can change. */
  'console:fields': () => ofEach((_, type) => changeableFieldsOf(type)),
};

/** Gives the page what it shows of the contract, so that it needs no zod. */
export const contractFacts: Plugin = {
  name: 'contract',
  setup(build) {
    build.onResolve({ filter: /^console:/ }, ({ path }) => ({ path, namespace: 'contract' }));
    build.onLoad({ filter: /.*/, namespace: 'contract' }, ({ path }) => ({
      contents: JSON.stringify(modules[path]?.()),
      loader: 'json',
    }));
  },
};

import type { Plugin } from 'esbuild';
import { otherOperation } from '../../lib/contract/console/countedOperations.ts';
import { operations } from '../../lib/contract/index.ts';
import { changeableFieldsOf } from '../../lib/resources/collections.ts';
import { ofEach } from '../../lib/resources/index.ts';
import { verifiers } from './verifiers.ts';

interface Webhook {
  post: {
    description: string;
    requestBody: { content: { 'application/json': { examples: Record<string, { value: object }> } } };
  };
}

/** An example of each event, as the reference has it. */
async function eventExamples(): Promise<object> {
  const [{ webhooksOf }, { eventTypeNotes }] = await Promise.all([
    import('./reference/openapi/webhooks.ts'),
    import('./reference/prose/webhookEvents.ts'),
  ]);
  const webhooks = webhooksOf() as unknown as Record<string, Webhook>;
  const examples = Object.entries(eventTypeNotes).map(([type, { what }]) => {
    const { full, thin } = (webhooks[type] as Webhook).post.requestBody.content['application/json'].examples;
    return [type, { what, full: full?.value, thin: thin?.value }];
  });
  return Object.fromEntries(examples);
}

const modules: Record<string, () => object | Promise<object>> = {
  'console:events': eventExamples,
  /** All by which requests are counted. An operation is there as clients write it: `GET /contacts/{contactId}`. */
  'console:operations': () => ({
    ...Object.fromEntries(operations.map(({ id, method, path }) => [id, `${method} ${path}`])),
    [otherOperation]: otherOperation,
  }),
  /** The fields of each resource that an update can change. */
  'console:fields': () => ofEach((_, type) => changeableFieldsOf(type)),
  'console:verifiers': () => verifiers,
};

/** Gives the page what it shows of the contract, so that it needs no zod. */
export const contractFacts: Plugin = {
  name: 'contract',
  setup(build) {
    build.onResolve({ filter: /^console:/ }, ({ path }) => ({ path, namespace: 'contract' }));
    build.onLoad({ filter: /.*/, namespace: 'contract' }, async ({ path }) => ({
      contents: JSON.stringify(await modules[path]?.()),
      loader: 'json',
    }));
  },
};

import type { Plugin } from 'esbuild';

interface Webhook {
  post: {
    description: string;
    requestBody: { content: { 'application/json': { examples: Record<string, { value: object }> } } };
  };
}

/** Gives the page an example of each event, as the reference has it: the module `console:events`. */
export const eventExamples: Plugin = {
  name: 'events',
  setup(build) {
    build.onResolve({ filter: /^console:events$/ }, ({ path }) => ({ path, namespace: 'events' }));
    build.onLoad({ filter: /.*/, namespace: 'events' }, async () => {
      const [{ webhooksOf }, { eventTypeNotes }] = await Promise.all([
        import('../reference/openapi/webhooks.ts'),
        import('../reference/prose/webhookEvents.ts'),
      ]);
      const webhooks = webhooksOf() as unknown as Record<string, Webhook>;
      const examples = Object.entries(eventTypeNotes).map(([type, { what }]) => {
        const { full, thin } = (webhooks[type] as Webhook).post.requestBody.content['application/json']
          .examples;
        return [type, { what, full: full?.value, thin: thin?.value }];
      });
      return { contents: JSON.stringify(Object.fromEntries(examples)), loader: 'json' };
    });
  },
};

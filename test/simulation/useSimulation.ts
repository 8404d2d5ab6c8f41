import { registerHooks } from 'node:module';

// Must be imported before anything of lib: it gives lib a clock and a memory that the simulation decides on.

const own: Record<string, string> = {
  'node:timers/promises': new URL('./timers.ts', import.meta.url).href,
};

registerHooks({
  resolve(specifier, context, next) {
    if (!context.parentURL?.includes('/lib/')) return next(specifier, context);
    if (specifier.endsWith('/collectionMap.ts'))
      return next(new URL('../support/data/separateMemory.ts', import.meta.url).href, context);
    const url = own[specifier];
    return url === undefined ? next(specifier, context) : next(url, context);
  },
});

process.env.RECORDS_TABLE = 'simulated';
process.env.ID_KEY = 'simulated'.repeat(8);
process.env.AWS_REGION = 'local-1';

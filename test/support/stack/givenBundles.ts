import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

// Loaded before the CDK app: it takes the bundles of the functions from the folder BUNDLES instead of making them.

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/bundle/bundle.ts')
      ? { url: import.meta.url, shortCircuit: true }
      : next(specifier, context),
});

export async function bundle(): Promise<Map<string, string>> {
  const folder = join(process.env.BUNDLES as string, 'functions');
  return new Map(readdirSync(folder).map((id) => [id, join(folder, id)]));
}

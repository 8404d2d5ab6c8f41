import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from '../../support/stack/stackProcess.ts';
import { bundledLikeOurs, ours } from '../handlers/bundled.ts';
import { page } from './warmRequests.ts';

/** A handler that lists contacts. */
export interface Entry {
  name: string;
  /** Its file in TypeScript. */
  entry: string;
}

export const withoutFramework: Entry = {
  name: 'no framework',
  entry: join(import.meta.dirname, '../bare', 'handler.ts'),
};

export const own: Entry = {
  name: 'listContacts',
  entry: join(root, 'functions', 'contacts', 'listContacts.ts'),
};

/** Bundles handlers as they would be deployed. @returns a file for each */
export const deployed = (entries: readonly Entry[], folder: string): Promise<string[]> =>
  Promise.all(
    entries.map((one) => (one === own ? ours(own.name) : bundledLikeOurs(one.entry, into(folder, one.name)))),
  );

/** The same without a database. The page is in the bundle, so the time is that of the framework. */
export const withPreparedPage = (entries: readonly Entry[], folder: string): Promise<string[]> =>
  Promise.all(
    entries.map(({ entry, name }) =>
      bundledLikeOurs(entry, into(folder, `${name}, prepared page`), [preparedPage]),
    ),
  );

const preparedPage: Plugin = {
  name: 'prepared page',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]lib[\\/]records[\\/]list\.ts$/ }, () => ({
      contents: `const { data, total } = ${JSON.stringify(page)};
        export const listRecords = async (_collection, _account, query) => ({ data, pagination: { ...query, total } });
        // Only lists with filters need it.
        export const recordsOf = undefined;`,
    }));
  },
};

function into(folder: string, name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/stack/stackProcess.ts';
import { areas } from './areas.ts';

test.each(Object.entries(areas))(
  'the files of %s are there, since a mutation of none finds nothing',
  (_, { code, tests }) => {
    expect([...code, ...tests].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  },
);

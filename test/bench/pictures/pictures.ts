import { coldStarts } from './coldStarts.ts';
import { cost } from './cost.ts';
import { createRates } from './creates.ts';
import { filterTimes } from './filterTimes.ts';
import { imports } from './imports.ts';
import { offsets } from './offsets.ts';
import type { PictureSource } from './picture.ts';
import { webhooks } from './webhooks.ts';

/** All pictures of docs/benchmarks.md. */
export const pictures: readonly PictureSource[] = [
  { name: 'offsets', heading: 'Offsets', bench: 'offsets', picture: offsets },
  { name: 'filter-times', heading: 'Filters', bench: 'filters', picture: filterTimes },
  { name: 'imports', heading: 'Imports', bench: 'import', picture: imports },
  { name: 'create-rates', heading: 'Simulated creates', picture: createRates },
  { name: 'webhooks', heading: 'Webhooks', bench: 'webhooks', picture: webhooks },
  { name: 'cold-starts', heading: 'Cold starts', bench: 'cold-start', picture: coldStarts },
  { name: 'cost', heading: 'Cost', bench: 'cost', picture: cost },
];

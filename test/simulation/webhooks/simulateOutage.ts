import './useWebhookSimulation.ts';
import { useVirtualTime } from '../virtualTime.ts';
import type { Outage } from './outages.ts';

// Runs in a process of its own, with a clock of its own. It prints the result of an outage, as JSON.

process.env.RECORDS_TABLE = 'simulated';

const { simulateOutage } = await import('./outages.ts');
useVirtualTime();

console.log(JSON.stringify(await simulateOutage(JSON.parse(process.argv[2] as string) as Outage)));

import './useExploration.ts';
import { editModules } from './engine/edits.ts';
import type { Limits } from './engine/model.ts';
import type { Explored, Scenario } from './engine/search.ts';
import { type Guard, protocols } from './guards.ts';

// The command `npm run explore` (run.ts) starts this in a process of its own for each protocol, and for each of its guards, because the
// modules of lib are loaded with that guard taken out.

/** What a process explores. */
export interface Exploration {
  protocol: string;
  /** The number of the guard that is taken out. Then it ends at the first violation. */
  guard?: number;
}

/** What it prints, as JSON, for each scenario. */
export interface Line extends Explored {
  scenario: string;
  actors: number;
  limits: Limits;
  cpuSeconds: number;
}

/** A violation needs few switches, if it needs any: so a search with few finds a short schedule. */
const switchesMax = 6;

const { protocol: name, guard } = JSON.parse(process.argv[2] as string) as Exploration;
const protocol = protocols.find((one) => one.name === name);
if (!protocol) throw new Error(`There is no protocol ${name}`);
const { edits = [], ignored = [] }: Partial<Guard> =
  (guard === undefined ? undefined : protocol.guards[guard]) ?? {};
editModules([...protocol.bounds, ...edits]);

const { connect, explore } = await import('./engine/search.ts');
const { ignoreConditions } = await import('./engine/database.ts');
ignoreConditions(ignored);
const { [name]: scenarios = [] } = (await import(`./protocols/${name}.ts`)) as Record<string, Scenario[]>;
connect();

async function run(scenario: Scenario, limits: Limits): Promise<Line> {
  const started = process.cpuUsage();
  const explored = await explore({ ...scenario, limits });
  const { user, system } = process.cpuUsage(started);
  return {
    scenario: scenario.name,
    actors: scenario.roles().length,
    limits,
    cpuSeconds: (user + system) / 1e6,
    ...explored,
  };
}

async function exploreAll(): Promise<void> {
  for (const scenario of scenarios)
    for (const limits of scenario.limits) console.log(JSON.stringify(await run(scenario, limits)));
}

/** Looks for the violation with the fewest faults, stalls and switches. */
async function findViolation(): Promise<void> {
  for (const nth of [undefined, 0, 1, 2])
    for (let switches = 0; switches <= switchesMax; switches++)
      for (const scenario of scenarios) {
        const limits = nth === undefined ? { faults: 0, stalls: 0 } : scenario.limits[nth];
        if (!limits || switches > (limits.switches ?? switchesMax)) continue;
        const line = await run(scenario, { ...limits, switches });
        if (line.violation) return console.log(JSON.stringify(line));
      }
}

await (guard === undefined ? exploreAll() : findViolation());

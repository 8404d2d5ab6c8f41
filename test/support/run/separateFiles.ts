import { afterAll, vi } from 'vitest';

// A worker runs many files, one after the other, and keeps loaded packages. Each file gets its own environment variables,
// newly loaded modules of the project, and no signal listeners of an earlier file.

const variables = { ...process.env };
const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => ({
  name,
  listeners: process.listeners(name),
}));

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
  for (const { name, listeners } of signals)
    for (const listener of process.listeners(name))
      if (!listeners.includes(listener)) process.off(name, listener);
  vi.resetModules();
});

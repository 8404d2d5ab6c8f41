import { afterAll, vi } from 'vitest';

// A worker runs many files, one after the other, and keeps the packages that it has loaded. Each file has its own
// environment variables, and modules of ours that no other file has used.

const variables = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
  vi.resetModules();
});

import { inject } from 'vitest';
import { connect } from '../../infra/ops/connection.ts';

// Points the stores of this process at the system under test, as the commands for ops do.
const stack = inject('stackName');
const data = inject('dataFolder');
await connect({ ...(stack ? { stack } : {}), data: data ?? '.local' });

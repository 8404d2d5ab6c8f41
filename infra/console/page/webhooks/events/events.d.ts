declare module 'console:events' {
  import type { EventExample } from './examples.ts';

  const examples: Record<string, EventExample>;
  export default examples;
}

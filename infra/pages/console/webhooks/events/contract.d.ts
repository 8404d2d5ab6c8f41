// Made when the page is built: infra/pages/contractFacts.ts.

declare module 'console:events' {
  export interface EventExample {
    /** A sentence without its end. */
    what: string;
    full: object;
    thin: object;
  }
  const examples: Record<string, EventExample>;
  export default examples;
}

declare module 'console:operations' {
  const names: Record<string, string>;
  export default names;
}

declare module 'console:verifiers' {
  const verifiers: { language: string; code: string }[];
  export default verifiers;
}

declare module 'console:fields' {
  const fields: Record<string, string[]>;
  export default fields;
}

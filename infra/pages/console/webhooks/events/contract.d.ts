// Made when the page is built: infra/pages/contractFacts.ts.

declare module 'console:events' {
  const examples: Record<string, unknown>;
  export default examples;
}

declare module 'console:fields' {
  const fields: Record<string, string[]>;
  export default fields;
}

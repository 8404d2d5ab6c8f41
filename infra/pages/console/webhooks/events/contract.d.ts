// Made when the page is built: infra/pages/contractFacts.ts.

declare module 'console:operations' {
  const names: Record<string, string>;
  export default names;
}

declare module 'console:fields' {
  const fields: Record<string, string[]>;
  export default fields;
}

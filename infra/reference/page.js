// The reference is the document, rendered in the browser.

const openapi = await (await fetch('openapi.json')).json();

// The API lets no page of another origin call it, as keys belong on servers. Where both have one address, on the local
// stack, requests can be sent from the page.
const isBesideApi = openapi.servers[0].url.startsWith('/');

Scalar.createApiReference('#reference', {
  content: openapi,
  hideTestRequestButton: !isBesideApi,
  hideClientButton: true,
  documentDownloadType: 'json',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  // Nothing is loaded from, or told to, anybody else.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});

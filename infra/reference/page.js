// The reference is the document, rendered in the browser.

const isLoopback = (host) => host === 'localhost' || host === '127.0.0.1';

/** Whether this page and the API have one address, as on the local stack. Whatever that is called, it is one machine. */
const isHere = ({ hostname, port, origin }) =>
  origin === location.origin ||
  (isLoopback(hostname) && isLoopback(location.hostname) && port === location.port);

const listed = (names) => [...new Set(names)].map((name) => `\`${name}\``).join(', ');

/** Ends the description of every operation and event with its statuses and headers: the search looks there, and not at answers. */
function nameStatusesAndHeaders({ paths, webhooks, components }) {
  const resolved = (value) => {
    const [, , kind, name] = value.$ref?.split('/') ?? [];
    return name === undefined ? value : components[kind][name];
  };
  for (const item of [...Object.values(paths), ...Object.values(webhooks)])
    for (const operation of Object.values(item)) {
      const { parameters = [], responses } = operation;
      const sent = parameters.map(resolved).filter((parameter) => parameter.in === 'header');
      const answers = Object.values(responses).map(resolved);
      const headers = [
        ...sent.map(({ name }) => name),
        ...answers.flatMap(({ headers = {} }) => Object.keys(headers)),
      ];
      operation.description += `\n\nStatuses: ${listed(Object.keys(responses))}. Headers: ${listed(headers)}.`;
    }
}

/** Leaves the examples of filters out of the requests that the page sends, until somebody ticks them: all of them match no record. */
function leaveFiltersOut({ paths, components }) {
  const parameters = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => operation.parameters ?? []);
  for (const parameter of [...parameters, ...Object.values(components.parameters)]) {
    if (parameter.in !== 'query' || 'default' in parameter.schema) continue;
    parameter.examples = { default: { value: parameter.example, 'x-disabled': true } };
    delete parameter.example;
  }
}

async function show() {
  const response = await fetch('openapi.json');
  if (!response.ok) throw new Error(`openapi.json was answered ${response.status}`);
  const openapi = await response.json();
  const [server] = openapi.servers;
  const address = URL.canParse(server.url) ? new URL(server.url) : undefined;
  // The API lets no page of another origin call it, as keys belong on servers.
  const isBesideApi = address !== undefined && isHere(address);
  if (isBesideApi) server.url = location.origin + address.pathname;
  nameStatusesAndHeaders(openapi);
  leaveFiltersOut(openapi);
  Scalar.createApiReference('#reference', {
    content: openapi,
    customCss: await (await fetch('page.css')).text(),
    hideTestRequestButton: !isBesideApi,
    hideClientButton: true,
    documentDownloadType: 'json',
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    // It says so of those of our fields that stand below the twelfth.
    localization: { translations: { schema: { showAdditionalProperties: 'Show the other fields' } } },
    // Nothing is loaded from, or sent to, other servers.
    withDefaultFonts: false,
    telemetry: false,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  });
}

show().catch((error) => {
  document.getElementById('reference').textContent = `The reference cannot be shown: ${error.message}`;
});

import { schemas } from './openapi/components.ts';
import { responses } from './openapi/errorResponses.ts';
import { headers } from './openapi/headers.ts';
import type { Json } from './openapi/jsonSchema.ts';
import { pathsOf, securityScheme } from './openapi/operations.ts';
import { parameters } from './openapi/parameters.ts';
import { webhookParameters, webhookResponses, webhooksOf } from './openapi/webhooks.ts';
import { introduction, keyNote, servers, version } from './prose/api.ts';
import { allThatChanges } from './prose/names.ts';
import { tags } from './prose/operations.ts';
import { title } from './prose/title.ts';

/** Returns the contract as an OpenAPI 3.1 document, made from the operations and the texts in reference/. */
export const openapi = (): Json => ({
  openapi: '3.1.1',
  info: {
    title,
    version,
    summary: `${allThatChanges} over HTTP.`,
    description: `${introduction} Texts are trimmed, and have no control characters. Where this document is published, the guides are beside it: llms.txt lists them.`,
    contact: { name: `The makers of ${title}` },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers,
  security: [{ [securityScheme]: [] }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: pathsOf(),
  webhooks: webhooksOf(),
  components: {
    securitySchemes: {
      [securityScheme]: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: keyNote },
    },
    schemas,
    parameters: { ...parameters, ...webhookParameters },
    headers,
    responses: { ...responses, ...webhookResponses },
  },
});

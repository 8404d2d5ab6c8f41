import { documents } from '../../../lib/resources/documents.ts';
import type { ResourceType } from '../../../lib/resources/index.ts';
import { exampleOf } from './openapi/components.ts';

/** Returns the reference's example of a record, as a system of the product would send it. */
export function exampleDraft(type: ResourceType): Record<string, unknown> {
  const example = exampleOf(documents[type].name) as Record<string, unknown>;
  const { id: _, version: __, created_at: ___, updated_at: ____, ...draft } = example;
  return draft;
}

import { eventTypePatterns } from '../../../../lib/contract/eventTypes.ts';
import { documents } from '../../../../lib/resources/documents.ts';
import { resources, resourceTypes, wordsFor } from '../../../../lib/resources/index.ts';

// How sentences name all resources together.

const and = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const code = (word: string): string => `\`${word}\``;

/** `contacts`, `orders` and `event registrations`. */
const names: readonly string[] = resourceTypes.map((type) => wordsFor(resources[type]));

/** Contacts, orders, event registrations and webhook subscriptions. */
export const allThatChanges = capitalized(and.format([...names, 'webhook subscriptions']));

/** a contact, an order or a registration */
export const oneOfAny = or.format(resourceTypes.map((type) => documents[type].short));

/** The types of the resources, as code. */
export const oneOfTypes = or.format(resourceTypes.map(code));

/** The patterns for several types of events, as code. */
export const allPatterns = and.format(eventTypePatterns.toSorted(anyLast).map(code));

function anyLast(one: string, other: string): number {
  return Number(one === '*') - Number(other === '*');
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

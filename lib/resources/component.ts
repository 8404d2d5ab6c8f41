import type * as z from 'zod';
import type { AnyNotes } from './notes.ts';

type Json = Record<string, unknown>;
type Side = 'input' | 'output';

/** A schema with a name in the document. */
export interface Component {
  schema: () => z.ZodType;
  side: Side;
  description: string;
  notes: AnyNotes;
  /** An example of the whole, if the fields' examples together make no good one. */
  example?: unknown;
  /** Keywords for rules of the whole that zod cannot express. */
  demands?: Json;
}

export type Components = Readonly<Record<string, Component>>;

/** Declares a component for requests or for responses. */
const on =
  (side: Side) =>
  (
    schema: () => z.ZodType,
    description: string,
    notes: AnyNotes = {},
    more: Pick<Component, 'example' | 'demands'> = {},
  ): Component => ({ schema, side, description, notes, ...more });

export const output = /* @__PURE__ */ on('output');

export const input = /* @__PURE__ */ on('input');

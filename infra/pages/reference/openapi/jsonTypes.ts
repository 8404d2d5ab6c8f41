/** A JSON Schema (draft 2020-12), or another object of an OpenAPI document. */
export type Json = Record<string, unknown>;

/** The side of a schema: the input that it accepts, or its output. */
export type Side = 'input' | 'output';

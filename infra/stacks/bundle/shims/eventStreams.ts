/** Replaces the SDK's event streams. No operation that is used here has one. */
export {};

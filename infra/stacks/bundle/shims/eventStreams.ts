/** Replaces the SDK's event streams, which none of our operations use. */
export {};

/** Stands in for the SDK's event streams: no operation of ours has one. */
export {};

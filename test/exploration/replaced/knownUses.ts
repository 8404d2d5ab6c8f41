// lib/usage/knownUses.ts, without reads: how often a key was used decides nothing.

export const knownUses = async (): Promise<Map<string, undefined>> => new Map();

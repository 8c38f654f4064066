// Defines the two modes, live and test. Every record, key, vendor and rate belongs to exactly one mode, and the modes never
// mix.

export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

export function isMode(text: string): text is Mode {
  return (MODES as readonly string[]).includes(text);
}

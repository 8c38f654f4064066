// Live and test never mix: every record, key, vendor and rate belongs to exactly one mode.

export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

export function isMode(text: string): text is Mode {
  return (MODES as readonly string[]).includes(text);
}

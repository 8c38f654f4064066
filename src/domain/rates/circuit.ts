// The circuit of a source: after three failures in a row it is not read for a minute, then one try decides; each failed try
// doubles the pause, up to half an hour.

const FAILURES_TO_OPEN = 3;
const FIRST_OPEN_MS = 60_000;
const LONGEST_OPEN_MS = 30 * 60_000;

/** `failures`: in a row, with the last one. Null: the circuit stays closed. */
export function circuitOpenForMs(failures: number): number | null {
  if (failures < FAILURES_TO_OPEN) return null;
  // Past the longest pause the exponent does not matter, and must not overflow.
  const doublings = Math.min(failures - FAILURES_TO_OPEN, 10);
  return Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * 2 ** doublings);
}

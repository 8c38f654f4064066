// The circuit of a source: after three failures in a row the source is not read for a minute. Then one attempt decides whether
// the circuit closes. Each failed attempt doubles the pause, up to half an hour.

const FAILURES_TO_OPEN = 3;
const FIRST_OPEN_MS = 60_000;
const LONGEST_OPEN_MS = 30 * 60_000;

/** `failures`: the number of consecutive failures, including the last. Null: the circuit stays closed. */
export function circuitOpenForMs(failures: number): number | null {
  if (failures < FAILURES_TO_OPEN) return null;
  // Beyond the longest pause the exponent does not matter; the limit prevents an overflow.
  const doublings = Math.min(failures - FAILURES_TO_OPEN, 10);
  return Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * 2 ** doublings);
}

// Trouble that comes back every second is logged once a minute: a log that repeats itself hides what is new in it.
const EVERY_MS = 60_000;
const REMEMBERED = 1_000;

/** Whether to log this now. */
export function makeLogThrottle(nowMs: () => number = () => performance.now()): (what: string) => boolean {
  const said = new Map<string, number>();
  return (what) => {
    const atMs = nowMs();
    const last = said.get(what);
    if (last !== undefined && atMs - last < EVERY_MS) return false;
    said.delete(what);
    said.set(what, atMs);
    if (said.size > REMEMBERED) said.delete(said.keys().next().value!);
    return true;
  };
}

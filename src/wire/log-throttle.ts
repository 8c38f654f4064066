// Logs a problem that repeats every second only once a minute, so that new problems stay visible in the log.
const EVERY_MS = 60_000;
const REMEMBERED = 1_000;

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

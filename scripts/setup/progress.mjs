// Shows that a long step is in progress: one line that is overwritten on a terminal, or a new line from time to time elsewhere.
const TICK_MS = 500;
const LINE_EVERY_MS = 10_000;

/** `share`: the completed part, from 0 to 1. */
export function showProgress(what, share) {
  const beganAt = Date.now();
  let linedAt = beganAt;
  const secondsOf = () => Math.round((Date.now() - beganAt) / 1_000);
  const text = () => `${what} … ${Math.min(99, Math.floor(share() * 100))} %, ${secondsOf()} s`;
  const isTerminal = process.stderr.isTTY === true;
  if (!isTerminal) console.error(`${what} …`);
  const tick = () => {
    if (isTerminal) process.stderr.write(`\r\u001b[2K${text()}`);
    else if (Date.now() - linedAt >= LINE_EVERY_MS) {
      linedAt = Date.now();
      console.error(text());
    }
  };
  const timer = setInterval(tick, TICK_MS);
  return {
    end: () => {
      clearInterval(timer);
      if (isTerminal) process.stderr.write(`\r\u001b[2K${what}: ${secondsOf()} s\n`);
    },
  };
}

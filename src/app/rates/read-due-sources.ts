// Reads the sources that are due, each under a lease, and stores their numbers or failures. A source that fails repeatedly is not
// read for a while (domain/rates/reading.ts).
import { circuitOpenForMs, type ReportedRate } from '../../domain/rates/reading.ts';
import type { Clock } from '../../ports/clock.ts';
import { type RateSource, type RateStore, SourceFailure, type SourceState } from '../../ports/rates.ts';

export interface ReadSourcesDeps {
  readonly rateStore: Pick<RateStore, 'leaseSources' | 'saveReading' | 'saveFailure'>;
  readonly sources: readonly RateSource[];
  readonly clock: Clock;
  readonly deadline: (timeoutMs: number) => AbortSignal;
  readonly onFailure: (name: string, failure: SourceFailure, failures: number) => void;
}

/** The lease is longer than the time-out of a read by this time. */
const LEASE_MARGIN_MS = 30_000;
/** A time outside this range is not a valid time for a rate. The service does not store such a rate. */
const EARLIEST_MS = Date.UTC(2000, 0);
const LATEST_MS = Date.UTC(2200, 0);

/** Leases the due rate sources and returns at once. `finished` resolves when all of them are read and stored. */
export async function readDueSources(
  deps: ReadSourcesDeps,
): Promise<{ readonly leased: number; readonly finished: Promise<void> }> {
  const { rateStore, sources, clock } = deps;
  if (sources.length === 0) return { leased: 0, finished: Promise.resolve() };
  const longestMs = Math.max(...sources.map(({ timeoutMs }) => timeoutMs));
  const names = sources.map(({ name }) => name);
  const due = await rateStore.leaseSources(names, clock.now(), longestMs + LEASE_MARGIN_MS);
  const reading = due.map((state) =>
    readSource(deps, sources.find(({ name }) => name === state.name)!, state),
  );
  return { leased: due.length, finished: Promise.all(reading).then(() => undefined) };
}

async function readSource(deps: ReadSourcesDeps, source: RateSource, state: SourceState): Promise<void> {
  const { rateStore, clock, onFailure } = deps;
  try {
    const rates = await readInTime(source, deps.deadline(source.timeoutMs));
    const atMs = clock.now();
    await rateStore.saveReading(source.name, rates, atMs, atMs + source.everyMs);
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    const atMs = clock.now();
    const failures = state.failures + 1;
    const openForMs = circuitOpenForMs(failures);
    const openUntilMs = openForMs === null ? null : atMs + openForMs;
    const nextReadAtMs = Math.max(atMs + source.everyMs, openUntilMs ?? 0);
    await rateStore.saveFailure(source.name, error, { atMs, nextReadAtMs, openUntilMs });
    onFailure(source.name, error, failures);
  }
}

/** Ends a read in time even if the adapter ignores the signal, because its result would come too late. */
async function readInTime(source: RateSource, signal: AbortSignal): Promise<readonly ReportedRate[]> {
  const late = new Promise<never>((_, reject) => {
    const timedOut = () =>
      reject(new SourceFailure('unreachable', `There was no answer within ${source.timeoutMs / 1_000} s.`));
    if (signal.aborted) timedOut();
    else signal.addEventListener('abort', timedOut, { once: true });
  });
  const rates = await Promise.race([source.read(signal).catch(rethrowAsSourceFailure), late]);
  const odd = rates.find(({ asOfMs }) => !(asOfMs >= EARLIEST_MS && asOfMs < LATEST_MS));
  if (odd !== undefined)
    throw new SourceFailure('unreadable', `The time of the rate of ${odd.currency} is not valid.`);
  return rates;
}

/**
 * An unexpected error of an adapter usually means that the response of the rate source has an unexpected shape. The text of the
 * error may contain a secret, but its name does not.
 */
function rethrowAsSourceFailure(error: unknown): never {
  if (error instanceof SourceFailure) throw error;
  const name = error instanceof Error ? error.name : typeof error;
  throw new SourceFailure('unreadable', `The answer could not be read (${name}).`);
}

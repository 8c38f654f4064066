// Computes how long a worker leases its work: longer than any call that the work waits for.
import { callLeaseMs } from '../../domain/rails/terms.ts';
import { MODES } from '../../domain/values/mode.ts';
import type { LeaseRequest } from '../../ports/store/queues.ts';
import type { PickDeps } from './deps.ts';

export function makeLeaseRequest(
  { clock, leaseMs }: PickDeps<'clock' | 'leaseMs'>,
  limit: number,
): LeaseRequest {
  return { atMs: clock.now(), leaseMs, limit };
}

/** The lease for work that waits for a response of any rail. It is longer than the slowest rail may take. */
export function bankLeaseMs({ banks, leaseMs }: PickDeps<'banks' | 'leaseMs'>): number {
  const rails = MODES.flatMap((mode) => banks.enabled(mode)).filter(({ payouts }) => payouts !== null);
  return Math.max(leaseMs, ...rails.map(({ terms }) => callLeaseMs(terms)));
}

/** The time that a lease adds to the duration of its calls, for storing the results in the database. */
const NETWORK_MARGIN_MS = 5_000;

/**
 * The lease for work on sends on any network. It is longer than a status query and a broadcast may take on the slowest network.
 */
export function networkLeaseMs({ networks, leaseMs }: PickDeps<'networks' | 'leaseMs'>): number {
  const answers = MODES.flatMap((mode) => networks.enabled(mode)).flatMap(
    ({ answersWithinMs }) => answersWithinMs ?? [],
  );
  return Math.max(leaseMs, ...answers.map((withinMs) => 2 * withinMs + NETWORK_MARGIN_MS));
}

/** Returns whether a call of this duration would end before the lease ends. If not, the caller does not start the call. */
export function hasTimeFor({ clock }: PickDeps<'clock'>, untilMs: number, callMs = 0): boolean {
  return untilMs - clock.now() > callMs;
}

// Bytes that were declared dead are asked about for a week: one that landed after all means that a proof was wrong, and
// sends of that asset stop before the mistake is made again.

import type { OutflowFinding } from '../../domain/movements/outflows.ts';
import type { Attempt } from '../../domain/records/movement.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Network } from '../../ports/network/network.ts';
import type { TreasuryWatch } from '../../ports/treasury-watch.ts';
import type { TreasuryGuard } from '../treasury/guard-treasury.ts';
import { envelopeOf } from './attempts.ts';

const WATCHED_MS = 7 * 24 * 60 * 60_000;
const AT_ONCE = 50;

export interface DeadSendsDeps {
  readonly treasuryWatch: Pick<TreasuryWatch, 'deadSends' | 'sendsByHash'>;
  readonly guard: Pick<TreasuryGuard, 'stop'>;
  readonly clock: Clock;
}

/** Asks about some of them, after a hash. Answers how many, and after which hash to go on; null: that was the last. */
export async function watchDeadSends(
  deps: DeadSendsDeps,
  mode: Mode,
  network: Network,
  after: string,
): Promise<{ readonly asked: number; readonly after: string | null }> {
  const sinceMs = deps.clock.now() - WATCHED_MS;
  const attempts = await deps.treasuryWatch.deadSends(mode, network.name, { sinceMs, after, limit: AT_ONCE });
  const landed: OutflowFinding[] = [];
  for (const attempt of attempts) {
    const { kind } = await network.ask(envelopeOf(attempt));
    if (kind === 'final' || kind === 'included') landed.push(await findingOf(deps, mode, network, attempt));
  }
  await deps.guard.stop(mode, network, landed);
  const last = attempts.length < AT_ONCE ? null : attempts.at(-1)!.reference;
  return { asked: attempts.length, after: last };
}

async function findingOf(
  { treasuryWatch }: DeadSendsDeps,
  mode: Mode,
  network: Network,
  { reference }: Attempt,
): Promise<OutflowFinding> {
  const send = (await treasuryWatch.sendsByHash(mode, network.name, [reference])).get(reference);
  const orders = send?.orders ?? [];
  return {
    txHash: reference,
    problem: 'declared_dead',
    amountMinor: orders.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    to: null,
    movementIds: orders.map(({ movementId }) => movementId),
  };
}

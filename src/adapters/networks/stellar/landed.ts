// What one server knows about signed bytes: in which ledger they are and what came of them, or that they can no longer be
// in any. The proof of the latter takes the height of the server's history first and the status after it, on that server.
import { xdr } from '@stellar/stellar-sdk/base';
import { loadAccount, loadHistory, requireFresh } from './account.ts';
import type { Chain } from './chain.ts';
import type { Stored } from './envelope.ts';
import { type Fields, numberOf, textOf, Unreadable, wholeOf } from './fields.ts';
import type { Horizon } from './horizon.ts';

export interface Landed {
  readonly kind: 'landed';
  readonly ledger: number;
  readonly closedAt: string;
  readonly successful: boolean;
  /** What the treasury paid for it. */
  readonly feeMinor: bigint;
  /** Of each operation, where it failed. */
  readonly reason: string;
  /** The places of those that did. */
  readonly culprits: readonly number[];
}

export type Finding =
  | Landed
  /** `feeMinor`: what the treasury paid although nothing came of it. */
  | {
      readonly kind: 'dead';
      readonly evidence: Readonly<Record<string, unknown>>;
      readonly feeMinor: bigint;
    }
  /** Not there, and nothing is proven. */
  | { readonly kind: 'absent'; readonly latest: number };

/**
 * Behind one address there may be several servers, one a little behind another: what was read of the height may not hold
 * for the one that is asked for the status. So the height must be past the bound by more than they differ.
 */
export const SERVERS_DIFFER_MS = 10_000;

export async function look(chain: Chain, horizon: Horizon, stored: Stored): Promise<Finding> {
  const { settings, token, treasury } = chain;
  const first = await findLanded(chain, horizon, stored);
  if (first?.undone === false) return first.landed;
  const history = await loadHistory(horizon);
  const account = await loadAccount(horizon, treasury, token);
  // Only now is the answer about all those ledgers.
  const found = await findLanded(chain, horizon, stored);
  if (found?.undone === false) return found.landed;

  const { latest, latestClosedAtMs } = history;
  const absent = (): Finding => {
    requireFresh(latestClosedAtMs, chain.clock.now());
    return { kind: 'absent', latest };
  };
  // Another network, a network that began anew, or a history that was cut off where these bytes may have been.
  if (history.passphrase !== settings.passphrase) return absent();
  if (latest <= stored.afterLedger || history.eldest > stored.afterLedger + 1) return absent();
  const past = (atMs: number) => latestClosedAtMs > atMs + SERVERS_DIFFER_MS;
  const expired = past(stored.boundMs);
  const taken =
    account !== undefined &&
    account.sequence >= stored.sequence &&
    account.sequenceTimeMs !== null &&
    past(account.sequenceTimeMs);
  if (!expired && !taken) return absent();
  const evidence = {
    proof: expired ? 'expired' : 'sequence_taken',
    ledger: latest,
    closedAt: new Date(latestClosedAtMs).toISOString(),
    bound: new Date(stored.boundMs).toISOString(),
    sequence: `${stored.sequence}`,
    accountSequence: account === undefined ? null : `${account.sequence}`,
    ...(found !== undefined && { result: found.landed.reason }),
  };
  return { kind: 'dead', evidence, feeMinor: found?.landed.feeMinor ?? 0n };
}

/** `undone`: a ledger has it, but not as having used up its place (in a stranger's fee-bump, say): it proves nothing. */
async function findLanded({ treasury }: Chain, horizon: Horizon, { hash }: Stored) {
  const found = await horizon.get(`/transactions/${hash}`);
  if (found === undefined) return undefined;
  if (found.hash !== hash) throw new Unreadable('the server answered with another transaction');
  if (typeof found.successful !== 'boolean') throw new Unreadable('successful is neither true nor false');
  const { successful } = found;
  const result = successful ? undefined : resultsOf(found);
  const landed: Landed = {
    kind: 'landed',
    ledger: numberOf(found, 'ledger'),
    closedAt: textOf(found, 'created_at'),
    successful,
    // Anybody may pay the fee of a transaction they have seen.
    feeMinor: found.fee_account === treasury ? wholeOf(found, 'fee_charged') : 0n,
    reason: result?.reason ?? '',
    culprits: result?.culprits ?? [],
  };
  return { landed, undone: result !== undefined && !result.applied };
}

/** Only operations that ran and were undone use up the place for certain. All of them run, whichever fails. */
function resultsOf(found: Fields): {
  readonly applied: boolean;
  readonly reason: string;
  readonly culprits: readonly number[];
} {
  const outer = xdr.TransactionResult.fromXdr(textOf(found, 'result_xdr'), 'base64').result;
  const result = outer.type === 'txFeeBumpInnerFailed' ? outer.innerResultPair.result.result : outer;
  if (result.type !== 'txFailed') return { applied: false, reason: result.type, culprits: [] };
  const names = result.results.map((each) => (each.type === 'opInner' ? each.tr.value.type : each.type));
  const culprits = [...names.keys()].filter((place) => !names[place]!.endsWith('Success'));
  const bad = culprits.map((place) => `${place}: ${names[place]}`);
  return { applied: true, reason: bad.join(', ') || result.type, culprits };
}

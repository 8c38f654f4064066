// The fee of a payment: the offer per operation at the start, and a higher offer for a payment that waits because others offer more.

import { TransactionBuilder } from '@stellar/stellar-sdk/base';
import type { Envelope, SignedTransaction } from '../../../../ports/networks/network-payer.ts';
import type { StellarSettings } from '../../settings/settings.ts';
import { loadAccount, spendableNative } from '../horizon/account.ts';
import { type EnvelopeVersions, hashOf, readEnvelopeVersions, writePayload } from '../horizon/envelope.ts';
import { fieldsOf, wholeOf } from '../horizon/fields.ts';
import type { Horizon } from '../horizon/horizon.ts';
import { loadLedger } from '../horizon/ledgers.ts';
import type { NetworkPart, StellarChain } from '../horizon/stellar-chain.ts';
import type { BytesFinding } from './find-bytes.ts';
import { signTransaction } from './signing.ts';

/** The offer is this many times the recent market fee, because the market may continue to rise. */
const ABOVE_MARKET = 2n;
/** A server replaces a waiting transaction with a fee bump only if the fee is ten times as high. */
const ABOVE_WAITING = 10n;

/** The 80th percentile of the fees per operation in the last ledgers. */
export async function loadMarketFee(horizon: Horizon): Promise<bigint> {
  const statistics = await horizon.need('/fee_stats');
  return wholeOf(fieldsOf(statistics.fee_charged, 'fee_charged'), 'p80');
}

type FeeBounds = Pick<StellarSettings, 'feePerOperation' | 'maxFeePerOperation'>;

export function firstBid({ feePerOperation, maxFeePerOperation }: FeeBounds, marketMinor: bigint): bigint {
  const wanted = marketMinor > feePerOperation ? marketMinor * ABOVE_MARKET : feePerOperation;
  return wanted < maxFeePerOperation ? wanted : maxFeePerOperation;
}

/** The next fee for a payment whose fee was too low. Undefined means that the fee was high enough or the limit is reached. */
export function nextBid(
  { maxFeePerOperation }: FeeBounds,
  bidMinor: bigint,
  marketMinor: bigint,
): bigint | undefined {
  if (marketMinor <= bidMinor) return undefined;
  const least = bidMinor * ABOVE_WAITING;
  if (least > maxFeePerOperation) return undefined;
  const wanted = marketMinor * ABOVE_MARKET;
  if (wanted <= least) return least;
  return wanted < maxFeePerOperation ? wanted : maxFeePerOperation;
}

// Raises the fee of a payment that waits because others offer more. The same transaction is wrapped in a fee bump with a higher
// fee. At most one version can land, because all versions have the same sequence number. The version that lands is the payment.

/** A payment may miss one or two ledgers for other reasons. */
const LEDGERS_WAITED = 3;
/** Servers refuse transactions that are about to expire. */
const STILL_GOOD_MS = 20_000;

/**
 * Whether a low fee is the only reason why the payment waits. Then its sequence number is unused, it has not expired, and
 * others pay more than it offers.
 */
export async function isOutbid(
  { providers, settings }: StellarChain,
  { afterLedger, boundMs, newest }: EnvelopeVersions,
  findings: readonly BytesFinding[],
): Promise<boolean> {
  const waits = findings.some(
    (each) =>
      each.kind === 'absent' &&
      each.freeAt !== null &&
      each.freeAt >= afterLedger + LEDGERS_WAITED &&
      each.closedAtMs < boundMs - STILL_GOOD_MS,
  );
  if (!waits || newest.bidMinor >= settings.maxFeePerOperation) return false;
  const marketMinor = await providers.one((horizon) => loadMarketFee(horizon).catch(() => 0n));
  return nextBid(settings, newest.bidMinor, marketMinor) !== undefined;
}

export function makeFeeBump(chain: StellarChain): NetworkPart<'replace'> {
  return {
    replace: async (envelope) => {
      try {
        return await signFeeBump(chain, envelope);
      } catch (error) {
        const { message } = error as Error;
        chain.onTrouble(`${chain.settings.name}: a payment waits, and its fee could not be raised`, {
          message,
        });
        return undefined;
      }
    },
  };
}

async function signFeeBump(
  chain: StellarChain,
  { versions: prepared }: Envelope,
): Promise<SignedTransaction | undefined> {
  const { settings, treasury, clock } = chain;
  const { inner, newest, amountMinor, afterLedger } = readEnvelopeVersions(prepared, settings.passphrase);
  const { marketMinor, nativeMinor } = await chain.providers.one((horizon) => loadFeeFacts(chain, horizon));
  const bidMinor = nextBid(settings, newest.bidMinor, marketMinor);
  // A fee bump counts as one more operation.
  const operations = BigInt(inner.operations.length + 1);
  if (bidMinor === undefined || bidMinor * operations > nativeMinor) return undefined;
  const { passphrase } = settings;
  const outer = TransactionBuilder.buildFeeBumpTransaction(treasury, `${bidMinor}`, inner, passphrase);
  // The fee bump makes no new payment.
  const refusal = await signTransaction(chain, outer, []);
  if (refusal !== undefined) throw refusal;
  const { source, sequence, bound } = prepared[0]!;
  const payload = writePayload({ xdr: outer.toXdr(), amountMinor, afterLedger });
  return { hash: hashOf(outer), source, sequence, payload, bound, signedAtMs: clock.now() };
}

async function loadFeeFacts({ treasury, token }: StellarChain, horizon: Horizon) {
  const ledger = await loadLedger(horizon);
  const account = await loadAccount(horizon, treasury, token);
  return {
    marketMinor: await loadMarketFee(horizon),
    nativeMinor: account === undefined ? 0n : spendableNative(account, ledger),
  };
}

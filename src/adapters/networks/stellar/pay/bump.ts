// A payment that waits because others offer more: the same transaction, inside a fee bump that offers more as well. At most one
// of them can land, because they share one sequence number; whichever does is the payment.
import { TransactionBuilder } from '@stellar/stellar-sdk/base';
import type { Envelope, Prepared } from '../../../../ports/networks/pays.ts';
import { loadAccount, spendableNative } from '../horizon/account.ts';
import type { Chain, Part } from '../horizon/chain.ts';
import { hashOf, payloadOf, type Versions, versionsOf } from '../horizon/envelope.ts';
import type { Horizon } from '../horizon/horizon.ts';
import { loadLedger } from '../horizon/ledgers.ts';
import { loadMarket, nextBid } from './fees.ts';
import type { Finding } from './look.ts';
import { signTransaction } from './signing.ts';

/** It may miss a ledger or two for other reasons. */
const LEDGERS_WAITED = 3;
/** Servers refuse transactions that are about to expire. */
const STILL_GOOD_MS = 20_000;

/** Whether only its fee is too low: its sequence number is unused, it has not expired, and others pay more than it offers. */
export async function isOutbid(
  { providers, settings }: Chain,
  { afterLedger, boundMs, newest }: Versions,
  findings: readonly Finding[],
): Promise<boolean> {
  const waits = findings.some(
    (each) =>
      each.kind === 'absent' &&
      each.freeAt !== null &&
      each.freeAt >= afterLedger + LEDGERS_WAITED &&
      each.closedAtMs < boundMs - STILL_GOOD_MS,
  );
  if (!waits || newest.bidMinor >= settings.maxFeePerOperation) return false;
  const marketMinor = await providers.one((horizon) => loadMarket(horizon).catch(() => 0n));
  return nextBid(settings, newest.bidMinor, marketMinor) !== undefined;
}

export function makeBump(chain: Chain): Part<'replace'> {
  return {
    replace: async (envelope) => {
      try {
        return await bump(chain, envelope);
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

async function bump(chain: Chain, { versions: prepared }: Envelope): Promise<Prepared | undefined> {
  const { settings, treasury, clock } = chain;
  const { inner, newest, amountMinor, afterLedger } = versionsOf(prepared, settings.passphrase);
  const { marketMinor, nativeMinor } = await chain.providers.one((horizon) => loadPurse(chain, horizon));
  const bidMinor = nextBid(settings, newest.bidMinor, marketMinor);
  // A fee bump counts as one operation more.
  const operations = BigInt(inner.operations.length + 1);
  if (bidMinor === undefined || bidMinor * operations > nativeMinor) return undefined;
  const { passphrase } = settings;
  const outer = TransactionBuilder.buildFeeBumpTransaction(treasury, `${bidMinor}`, inner, passphrase);
  // It makes no payment that was not counted before.
  const refusal = await signTransaction(chain, outer, []);
  if (refusal !== undefined) throw refusal;
  const { source, sequence, bound } = prepared[0]!;
  const payload = payloadOf({ xdr: outer.toXdr(), amountMinor, afterLedger });
  return { hash: hashOf(outer), source, sequence, payload, bound, signedAtMs: clock.now() };
}

async function loadPurse({ treasury, token }: Chain, horizon: Horizon) {
  const ledger = await loadLedger(horizon);
  const account = await loadAccount(horizon, treasury, token);
  return {
    marketMinor: await loadMarket(horizon),
    nativeMinor: account === undefined ? 0n : spendableNative(account, ledger),
  };
}

// Reads what one server knows about signed bytes: the ledger that contains them, or its part of a proof that no ledger contains
// them. The result "not found" alone proves nothing. The proof is a response about the account that contains its ledger number.
// In that ledger the sequence number is still unused, and the ledger closed after the bytes had expired.
import type { Absence, Displacement } from '../../../../domain/movements/proof-of-death.ts';
import { ledgerOfAccount, loadAccount } from '../horizon/account.ts';
import type { EnvelopeVersions } from '../horizon/envelope.ts';
import {
  fieldsOf,
  type HorizonFields,
  numberOf,
  recordsOf,
  textOf,
  UnreadableAnswer,
  wholeOf,
} from '../horizon/fields.ts';
import type { Horizon } from '../horizon/horizon.ts';
import {
  findLandedPayment,
  innerHashOf,
  type LandedPayment,
  readFoundTransaction,
  usedSequence,
} from '../horizon/landed-payment.ts';
import { findLedger, loadHistory, requireFresh, type ServerHistory } from '../horizon/ledgers.ts';
import type { StellarChain } from '../horizon/stellar-chain.ts';
import { cursorOf } from '../observe/token-credits.ts';

export interface AbsentBytes {
  readonly kind: 'absent';
  /** The ledger, as the response reports it, in which the sequence number is unused. Null means that no response shows that. */
  readonly freeAt: number | null;
  /** Null means that the bytes may still land. */
  readonly absence: Absence | null;
  /** The fee that the treasury paid although no payment was made. */
  readonly feeMinor: bigint;
  /** The result of the transaction in a ledger that contains it although it did not use its sequence number. */
  readonly result: string | null;
  readonly closedAtMs: number;
}

export type BytesFinding =
  | LandedPayment
  | AbsentBytes
  | { readonly kind: 'displaced'; readonly displacement: Displacement }
  /** The sequence number is used, but the server does not show (yet) which transaction used it. */
  | { readonly kind: 'taken'; readonly expired: boolean };

export async function findBytes(
  chain: StellarChain,
  horizon: Horizon,
  provider: string,
  versions: EnvelopeVersions,
): Promise<BytesFinding> {
  const first = await findLandedPayment(chain, horizon, versions);
  if (first?.undone === false) return first.landed;
  const history = await loadHistory(horizon);
  const account = await loadAccount(horizon, chain.treasury, chain.token);
  const { latestClosedAtMs } = history;
  const absent = (freeAt: number | null, absence: Absence | null): BytesFinding => {
    if (absence === null) requireFresh(latestClosedAtMs, chain.clock.now());
    const { feeMinor = 0n, reason: result = null } = first?.landed ?? {};
    return { kind: 'absent', freeAt, absence, feeMinor, result, closedAtMs: latestClosedAtMs };
  };
  if (account === undefined) return absent(null, null);
  const ledger = ledgerOfAccount(account);
  if (!isOurHistory(chain, history, ledger, versions)) return absent(null, null);
  if (account.sequence < versions.sequence)
    return absent(ledger, await absenceOf(horizon, provider, history, ledger, versions));
  const taker = await findSequenceTaker(chain, horizon, provider, versions);
  if (taker !== undefined) return taker;
  requireFresh(latestClosedAtMs, chain.clock.now());
  return { kind: 'taken', expired: latestClosedAtMs > versions.boundMs };
}

/**
 * Whether this is the same network without a restart, and whether its history still has the ledgers that may contain these
 * bytes.
 */
function isOurHistory(
  { settings }: StellarChain,
  { passphrase, eldest }: ServerHistory,
  ledger: number,
  { afterLedger }: EnvelopeVersions,
): boolean {
  return passphrase === settings.passphrase && ledger > afterLedger && eldest <= afterLedger + 1;
}

/** Called while the account's sequence number is unused. After the bound these bytes can no longer use it. */
async function absenceOf(
  horizon: Horizon,
  provider: string,
  { latestClosedAtMs }: ServerHistory,
  ledger: number,
  { boundMs }: EnvelopeVersions,
): Promise<Absence | null> {
  // This check only avoids a request. The ledger number in the response about the account is the proof.
  if (latestClosedAtMs <= boundMs) return null;
  const own = await findLedger(horizon, ledger);
  if (own === undefined || own.closedAtMs <= boundMs) return null;
  return { provider, observedAt: BigInt(ledger), impossibleFrom: BigInt(own.sequence) };
}

const PAGE = 200;
const MOST_PAGES = 25;

/** Finds the transaction that used the sequence number after the bytes were signed. It may be our own or a different one. */
async function findSequenceTaker(
  chain: StellarChain,
  horizon: Horizon,
  provider: string,
  versions: EnvelopeVersions,
): Promise<BytesFinding | undefined> {
  const { treasury } = chain;
  let cursor = `${BigInt(versions.afterLedger + 1) << 32n}`;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = `cursor=${cursor}&order=asc&limit=${PAGE}&include_failed=true`;
    const records = recordsOf(await horizon.need(`/accounts/${treasury}/transactions?${query}`));
    for (const each of records) {
      const record = fieldsOf(each, 'a transaction');
      if (isOwnVersion(record, versions)) {
        const found = readFoundTransaction(chain, record, versions);
        if (!found.undone) return found.landed;
      } else if (hasSequence(record, treasury, versions) && usedSequence(record)) {
        return { kind: 'displaced', displacement: displacementOf(record, provider) };
      }
    }
    const next = cursorOf(records.at(-1));
    if (records.length < PAGE || next === null) return undefined;
    if (BigInt(next) <= BigInt(cursor))
      throw new UnreadableAnswer('the server answered with records out of order');
    cursor = next;
  }
  return undefined;
}

function isOwnVersion(record: HorizonFields, { hashes }: EnvelopeVersions): boolean {
  const innerHash = innerHashOf(record);
  return hashes.includes(textOf(record, 'hash')) || (innerHash !== null && hashes.includes(innerHash));
}

/** The list also contains transactions of other accounts. Their sequence numbers do not count. */
function hasSequence(record: HorizonFields, treasury: string, { sequence }: EnvelopeVersions): boolean {
  return record.source_account === treasury && wholeOf(record, 'source_account_sequence') === sequence;
}

function displacementOf(record: HorizonFields, provider: string): Displacement {
  return {
    provider,
    sequence: `${wholeOf(record, 'source_account_sequence')}`,
    hash: textOf(record, 'hash'),
    innerHash: innerHashOf(record),
    height: BigInt(numberOf(record, 'ledger')),
  };
}

// The names of ledger accounts, assets and amounts in plain words.
import type { EntryPosting, LedgerAccount } from '../../../api/console-types.ts';
import { useList, useRead } from '../../../api/reads.ts';
import { shortened, words } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Money, TokenAmount } from '../../../components/values.tsx';
import type { Mode } from '../../../layout/location.ts';
import styles from '../operator.module.css';

const NAIRA = 'NGN';

export function assetTitle(asset: string): string {
  if (asset === NAIRA) return 'Naira';
  const [code, network] = asset.split('@');
  return network === undefined ? asset : `${code} on ${network}`;
}

const TITLES: Readonly<Record<string, string>> = {
  bank_in: 'Vendor account',
  bank_out: 'Bank (payouts)',
  bank_reserved: 'Bank (reserved)',
  charges: 'Bank charges',
  recoveries: 'Returned payouts',
  overpaid: 'Duplicate payouts',
  losses_accepted: 'Accepted losses',
  withdrawn: 'Withdrawn',
  owed: 'Owed to buyers',
  out: 'Held by customers',
  treasury: 'Treasury (free)',
  reserved: 'Treasury (reserved)',
  sent: 'In flight',
  in_flight: 'Paid (tokens in flight)',
  received: 'Received for sells',
  refunds_due: 'Refunds due',
  payouts_due: 'Payouts due',
  bank_transit: 'In transit between our accounts',
};

export function accountTitle({ name, detail }: Pick<LedgerAccount, 'name' | 'detail'>): string {
  const title = TITLES[name] ?? words(name);
  return detail === null ? title : `${title} ${detail.split(':').at(-1)}`;
}

interface LedgerAmountProps {
  readonly asset: string;
  readonly decimals: number | null;
  readonly amount: string;
}

/**
 * If no configured network has the asset, its decimals are unknown. Then the amount is shown in minor units, and the text says
 * so.
 */
export function LedgerAmount({ asset, decimals, amount }: LedgerAmountProps) {
  if (asset === NAIRA) return <Money amount={amount} />;
  const [code = asset] = asset.split('@');
  return <TokenAmount amount={amount} asset={decimals === null ? `minor units of ${code}` : code} />;
}

export function OnSide({
  on,
  side,
  ...amount
}: LedgerAmountProps & { readonly on: EntryPosting['side']; readonly side: EntryPosting['side'] }) {
  return on === side ? <LedgerAmount {...amount} /> : null;
}

export function WithSide({ side, ...amount }: LedgerAmountProps & { readonly side: EntryPosting['side'] }) {
  return (
    <span className={styles.withSide}>
      <LedgerAmount {...amount} />
      <span className="quiet">{side}</span>
    </span>
  );
}

const RECORDS = /^(txn|crd|dep|mov|ntc|cas)_/;

interface RecordLinkProps {
  readonly base: string;
  readonly id: string;
  readonly whole?: boolean;
}

/**
 * A link to the page of the record. Three kinds of records have no page: tokens that people booked into a treasury, a set-up
 * transaction, and naira that people booked.
 */
export function RecordLink({ base, id, whole = false }: RecordLinkProps) {
  const text = whole ? id : shortened(id);
  if (!RECORDS.test(id)) return <span className="mono">{text}</span>;
  return (
    <TextLink className="mono" to={`${base}/review/${id}`}>
      {text}
    </TextLink>
  );
}

export function useBalances(mode: Mode) {
  return useRead('/operator/ledger/{mode}', { params: { mode } });
}

export function useAccount(mode: Mode, accountId: string) {
  const { first, rows, ...list } = useList('/operator/ledger/{mode}/accounts/{account_id}', 'postings', {
    params: { mode, account_id: accountId },
  });
  return { ...list, account: first?.account, decimals: first?.decimals ?? null, postings: rows };
}

export function useEntry(entryId: string) {
  return useRead('/operator/ledger/entries/{record_id}', { params: { record_id: entryId } });
}

/** If `recordId` is null, no record is read. */
export function useEntriesAbout(recordId: string | null) {
  return useRead('/operator/ledger/records/{record_id}', {
    params: { record_id: recordId ?? '' },
    enabled: recordId !== null,
  });
}

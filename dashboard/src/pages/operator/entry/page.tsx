// One entry of the ledger with all of its postings, its transaction, and the other entries of that transaction.
import type { EntryPosting, LedgerEntry } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { words } from '../../../components/format.ts';
import { Empty, Facts, Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { Ago, Id, Time } from '../../../components/values.tsx';
import { useOperatorLocation, useParam } from '../../../layout/location.ts';
import {
  accountTitle,
  assetTitle,
  LedgerAmount,
  OnSide,
  RecordLink,
  useEntriesAbout,
  useEntry,
  WithSide,
} from '../ledger/words.tsx';

export default function EntryPage() {
  const { base } = useOperatorLocation();
  const { data, error, refetch } = useEntry(useParam('entryId'));
  const entry = data?.entry;
  return (
    <Page
      title={entry === undefined ? 'Ledger entry' : words(entry.event)}
      back={{ to: `${base}/ledger`, label: 'Ledger' }}
    >
      {error !== null && entry === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <>
          <Section>
            {entry === undefined ? <Loading lines={4} label="Loading entry" /> : <About entry={entry} />}
          </Section>
          <Section title="Postings" lead="Debits and credits of each asset are equal." bare>
            <DataTable
              caption="Postings of this entry"
              columns={POSTINGS}
              rows={entry?.postings}
              rowKey={({ account }) => account.account_id}
              rowHref={({ account }) => `${base}/ledger/accounts/${account.account_id}`}
              empty={null}
            />
          </Section>
          {entry !== undefined && <Others entry={entry} />}
        </>
      )}
    </Page>
  );
}

function About({ entry }: { readonly entry: LedgerEntry }) {
  const { base } = useOperatorLocation();
  const { transaction_id: transaction, record_id: record } = entry;
  return (
    <Facts
      facts={[
        { label: 'Time', value: <Time at={entry.at} /> },
        {
          label: 'Transaction',
          value:
            transaction === null ? (
              <span className="quiet">None</span>
            ) : (
              <RecordLink base={base} id={transaction} whole />
            ),
        },
        record !== transaction && { label: 'Record', value: <RecordLink base={base} id={record} whole /> },
        { label: 'Entry', value: <Id value={entry.entry_id} label="entry number" keep={false} /> },
      ]}
    />
  );
}

const POSTINGS: readonly Column<EntryPosting>[] = [
  { title: 'Account', cell: ({ account }) => accountTitle(account) },
  { title: 'Asset', from: 'sm', cell: ({ account }) => assetTitle(account.asset) },
  {
    ...{ title: 'Description', from: 'lg' },
    cell: ({ account }) => <span className="quiet">{account.meaning}</span>,
  },
  {
    ...{ title: 'Debit', align: 'right', from: 'sm' },
    cell: ({ account, ...posted }) => <OnSide on="debit" asset={account.asset} {...posted} />,
  },
  {
    ...{ title: 'Credit', align: 'right', from: 'sm' },
    cell: ({ account, ...posted }) => <OnSide on="credit" asset={account.asset} {...posted} />,
  },
  {
    ...{ title: 'Amount', align: 'right', until: 'sm' },
    cell: ({ account, ...posted }) => <WithSide asset={account.asset} {...posted} />,
  },
];

/**
 * The other entries of the same transaction. If the entry has no transaction, they are the other entries of the same record.
 */
function Others({ entry }: { readonly entry: LedgerEntry }) {
  const { base } = useOperatorLocation();
  const about = entry.transaction_id ?? entry.record_id;
  const { data, error, refetch } = useEntriesAbout(about);
  const columns: readonly Column<LedgerEntry>[] = [
    {
      title: 'Event',
      cell: ({ entry_id: id, event }) =>
        id === entry.entry_id ? <strong>{words(event)} (this entry)</strong> : words(event),
    },
    { title: 'Time', cell: ({ at }) => <Ago at={at} /> },
    { title: 'Debit accounts', from: 'sm', cell: ({ postings }) => sideOf(postings, 'debit') },
    { title: 'Credit accounts', from: 'sm', cell: ({ postings }) => sideOf(postings, 'credit') },
    { title: 'Amount', align: 'right', cell: ({ postings }) => <FirstAmount postings={postings} /> },
  ];
  const title = `All entries of this ${entry.transaction_id === null ? 'record' : 'transaction'}`;
  return (
    <Section title={title} lead="Oldest first." bare>
      <DataTable
        caption={title}
        columns={columns}
        rows={data?.entries}
        rowKey={({ entry_id: id }) => id}
        rowHref={({ entry_id: id }) => `${base}/ledger/entries/${id}`}
        error={error}
        retry={() => void refetch()}
        empty={<Empty title="No other entries" />}
      />
    </Section>
  );
}

/** The naira amount of the entry, if the entry has one. The tokens in the entry have the same value. */
function FirstAmount({ postings }: Pick<LedgerEntry, 'postings'>) {
  const first = postings.find(({ account }) => account.asset === 'NGN') ?? postings[0];
  return first && <LedgerAmount asset={first.account.asset} {...first} />;
}

function sideOf(postings: readonly EntryPosting[], side: EntryPosting['side']): string {
  return postings
    .filter((each) => each.side === side)
    .map(({ account }) => accountTitle(account))
    .join(', ');
}

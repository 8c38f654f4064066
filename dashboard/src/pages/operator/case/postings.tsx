// The postings that ended a case, debit and credit side by side.
import type { EntryPosting, LedgerEntry } from '../../../api/console-types.ts';
import { useOperatorPlace } from '../../../frame/place.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { words } from '../../../parts/format.ts';
import { TextLink } from '../../../parts/link.tsx';
import { Empty, Section } from '../../../parts/page.tsx';
import { accountTitle, OnSide, WithSide } from '../ledger/words.tsx';

const of = ({ account, decimals, amount }: EntryPosting) => ({ asset: account.asset, decimals, amount });

const COLUMNS: readonly Column<EntryPosting>[] = [
  { title: 'Account', cell: ({ account }) => accountTitle(account) },
  {
    ...{ title: 'Debit', align: 'right', from: 'sm' },
    cell: (posting) => <OnSide on="debit" side={posting.side} {...of(posting)} />,
  },
  {
    ...{ title: 'Credit', align: 'right', from: 'sm' },
    cell: (posting) => <OnSide on="credit" side={posting.side} {...of(posting)} />,
  },
  {
    ...{ title: 'Amount', align: 'right', until: 'sm' },
    cell: (posting) => <WithSide side={posting.side} {...of(posting)} />,
  },
];

export function Postings({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  const { base } = useOperatorPlace();
  if (entries.length === 0)
    return (
      <Section title="Posted">
        <Empty icon="ledger" title="Nothing was posted">
          An earlier version closed this case by hand.
        </Empty>
      </Section>
    );
  return entries.map(({ entry_id: id, event, postings }) => (
    <Section
      key={id}
      title={words(event)}
      actions={<TextLink to={`${base}/ledger/entries/${id}`}>Open entry</TextLink>}
      bare
    >
      <DataTable
        caption={`Postings of ${words(event)}`}
        columns={COLUMNS}
        rows={postings}
        rowKey={({ account, side }) => `${account.key} ${side}`}
        empty={null}
      />
    </Section>
  ));
}

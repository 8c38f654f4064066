// All businesses with what they moved in thirty days and what holds for them, and those that signed up and wait.
import type { Business } from '../../../api/console-types.ts';
import { useList, useRead } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Empty, Notice, Page } from '../../../components/page.tsx';
import { Ago, Money, State } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useChanges } from '../rules.tsx';
import { countOf, feeText } from './data.ts';

const COLUMNS: readonly Column<Business>[] = [
  { title: 'Business', cell: ({ name }) => name },
  {
    title: 'State',
    cell: ({ frozen }) => <State state={frozen === null ? 'active' : 'frozen'} />,
  },
  { title: 'Moved in 30 days', align: 'right', cell: ({ volume }) => <Money amount={volume.amount} /> },
  {
    title: 'Transactions',
    align: 'right',
    from: 'md',
    cell: ({ volume }) => countOf(volume),
  },
  {
    title: 'Limit per day',
    align: 'right',
    from: 'lg',
    cell: ({ limits }) => (limits.per_day === null ? 'none' : <Money amount={limits.per_day} />),
  },
  {
    title: 'Fee of a buy',
    from: 'lg',
    cell: ({ fees }) => feeText(fees.find(({ product }) => product === 'buy')),
  },
  { title: 'Since', align: 'right', from: 'sm', cell: ({ created_at }) => <Ago at={created_at} /> },
];

export default function BusinessesPage() {
  const { mode, base } = useOperatorLocation();
  const list = useList('/operator/businesses', 'businesses', { query: { mode } });
  const waiting = useRead('/operator/sign-ups', { query: { state: 'waiting' } });
  useChanges('/operator/businesses', '/operator/sign-ups');
  const count = waiting.data?.sign_ups.length ?? 0;
  return (
    <Page title="Businesses" lead="Each with what it moved in this mode, its limits and its fees.">
      {count > 0 && (
        <Notice tone="person">
          {count === 1
            ? 'One business has signed up and waits'
            : `${count} businesses have signed up and wait`}{' '}
          for approval. <TextLink to={`${base}/people`}>Decide sign-ups</TextLink>
        </Notice>
      )}
      <DataTable
        caption="Businesses"
        columns={COLUMNS}
        {...list}
        rowKey={({ business_id }) => business_id}
        rowHref={({ business_id }) => `${base}/businesses/${business_id}`}
        empty={
          <Empty icon="building" title="No business yet">
            A business appears here once its sign-up is approved.
          </Empty>
        }
      />
    </Page>
  );
}

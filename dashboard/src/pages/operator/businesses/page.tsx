// All businesses with their volume in the last thirty days, their limits and their fees. The page also lists the new businesses
// that wait for approval.
import type { Business } from '../../../api/console-types.ts';
import { useList, useRead } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { counted } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Empty, Notice, Page } from '../../../components/page.tsx';
import { Ago, Money, State } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useRefreshOnChanges } from '../rules.tsx';
import { countOf, feeText } from './data.ts';

const COLUMNS: readonly Column<Business>[] = [
  { title: 'Business', cell: ({ name }) => name },
  {
    title: 'State',
    cell: ({ frozen }) => <State state={frozen === null ? 'active' : 'frozen'} />,
  },
  { title: 'Volume (30 days)', align: 'right', cell: ({ volume }) => <Money amount={volume.amount} /> },
  {
    title: 'Transactions',
    align: 'right',
    from: 'md',
    cell: ({ volume }) => countOf(volume),
  },
  {
    title: 'Daily limit',
    align: 'right',
    from: 'lg',
    cell: ({ limits }) => (limits.per_day === null ? 'None' : <Money amount={limits.per_day} />),
  },
  {
    title: 'Buy fee',
    from: 'lg',
    cell: ({ fees }) => feeText(fees.find(({ product }) => product === 'buy')),
  },
  { title: 'Created', align: 'right', from: 'sm', cell: ({ created_at }) => <Ago at={created_at} /> },
];

export default function BusinessesPage() {
  const { mode, base } = useOperatorLocation();
  const list = useList('/operator/businesses', 'businesses', { query: { mode } });
  const waiting = useRead('/operator/sign-ups', { query: { state: 'waiting' } });
  useRefreshOnChanges('/operator/businesses', '/operator/sign-ups');
  const count = waiting.data?.sign_ups.length ?? 0;
  return (
    <Page title="Businesses" lead="Volume in this mode, limits and fees of each business.">
      {count > 0 && (
        <Notice tone="person">
          {counted(count, 'sign-up awaits', 'sign-ups await')} approval.{' '}
          <TextLink to={`${base}/people`}>Review sign-ups</TextLink>
        </Notice>
      )}
      <DataTable
        caption="Businesses"
        columns={COLUMNS}
        {...list}
        rowKey={({ business_id }) => business_id}
        rowHref={({ business_id }) => `${base}/businesses/${business_id}`}
        empty={
          <Empty icon="building" title="No businesses yet">
            A business appears here once its sign-up is approved.
          </Empty>
        }
      />
    </Page>
  );
}

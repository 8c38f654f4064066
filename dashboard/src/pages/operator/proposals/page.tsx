// The proposals that wait for a second person, oldest first.
import type { OpenProposal } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { useSignedIn } from '../../../api/session.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Empty, Page } from '../../../components/page.tsx';
import { Ago, Money, State } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { withShortIds } from '../decisions/labels.ts';
import styles from '../operator.module.css';
import { useRefreshOnChanges } from '../rules.tsx';

export default function ProposalsPage() {
  const { mode, base } = useOperatorLocation();
  const { person } = useSignedIn();
  const { data, error, refetch } = useRead('/operator/proposals', { query: { mode }, refetchMs: 30_000 });
  useRefreshOnChanges('/operator/proposals');
  const columns: readonly Column<OpenProposal>[] = [
    { title: 'Proposal', cell: ({ what }) => <span className={styles.what}>{withShortIds(what)}</span> },
    {
      title: 'Amount',
      align: 'right',
      cell: ({ amount }) => (amount === undefined ? '—' : <Money amount={amount} />),
    },
    {
      title: 'Proposed by',
      from: 'sm',
      cell: ({ proposed_by, proposed_by_name }) =>
        proposed_by === person.person_id ? 'You' : proposed_by_name,
    },
    { title: 'State', from: 'md', cell: ({ obstacle }) => <Waiting obstacle={obstacle} /> },
    { title: 'Proposed', align: 'right', cell: ({ proposed_at }) => <Ago at={proposed_at} /> },
  ];
  return (
    <Page
      title="Proposals"
      lead="Changes proposed by one person that another must approve. Nothing has changed yet."
    >
      <DataTable
        caption="Open proposals"
        columns={columns}
        rows={data?.proposals}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `${base}/proposals/${id}`}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty icon="proposal" title="No open proposals in this mode">
            Proposals come from Review and from changes to live settings.
          </Empty>
        }
      />
    </Page>
  );
}

function Waiting({ obstacle }: { readonly obstacle: string | null }) {
  return obstacle === null ? (
    <State state="open" label="Awaiting approval" />
  ) : (
    <State state="changed" label="No longer applies" />
  );
}

// The review queue. For each kind of record it shows the number of records, their age, and the oldest records, which a reviewer
// handles first.
import { Tabs } from '@mantine/core';
import type { QueueKind } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { naira } from '../../../components/format.ts';
import { Empty, Page } from '../../../components/page.tsx';
import { useFilters, useOperatorLocation } from '../../../layout/location.ts';
import { useRefreshOnChanges } from '../rules.tsx';
import { columnsOf, KINDS, type Kind, type Row } from './columns.tsx';

const SHOWN = 100;

export default function ReviewPage() {
  const { mode, base } = useOperatorLocation();
  const { filters, set } = useFilters();
  const { data, error, refetch } = useRead('/operator/review-queue', {
    query: { mode },
    refetchMs: 30_000,
  });
  useRefreshOnChanges('/operator/review-queue');
  const kinds = data?.kinds;
  const asked = KINDS.find(({ kind }) => kind === filters.tab)?.kind;
  const chosen: Kind = asked ?? kinds?.find(({ count }) => count > 0)?.kind ?? 'credits';
  return (
    <Page title="Review" lead="Money that needs a decision. One person proposes, another approves.">
      <Tabs value={chosen} onChange={(tab) => set({ tab: tab ?? '' })} keepMounted={false}>
        <Tabs.List aria-label="Kinds of records" mb="md">
          {KINDS.map(({ kind, label }) => (
            <Tabs.Tab key={kind} value={kind}>
              {label}{' '}
              <span className="quiet tabular">{kinds?.find((each) => each.kind === kind)?.count ?? ''}</span>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {KINDS.map(({ kind, label, empty }) => (
          <Tabs.Panel key={kind} value={kind}>
            <Queue
              kind={kind}
              label={label}
              empty={empty}
              queue={kinds?.find((each) => each.kind === kind)}
              base={base}
              error={error}
              retry={() => void refetch()}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

interface QueueProps {
  readonly kind: Kind;
  readonly label: string;
  readonly empty: string;
  readonly queue: QueueKind | undefined;
  readonly base: string;
  readonly error: unknown;
  readonly retry: () => void;
}

function Queue({ kind, label, empty, queue, base, error, retry }: QueueProps) {
  const quarantined = kind === 'quarantined';
  return (
    <>
      {queue !== undefined && queue.count > 0 && (
        <p className="quiet">
          {queue.amount !== null && `${naira(queue.amount)} in total. `}
          {queue.count > SHOWN &&
            `The ${quarantined ? 'newest' : 'oldest'} ${SHOWN} of ${queue.count} are shown.`}
        </p>
      )}
      <DataTable
        caption={label}
        columns={columnsOf(kind)}
        rows={queue?.records as readonly Row[] | undefined}
        rowKey={({ id }) => id}
        {...(!quarantined && { rowHref: ({ id }: { id: string }) => `${base}/review/${id}` })}
        error={error}
        retry={retry}
        empty={<Empty icon="check" title={empty} />}
      />
    </>
  );
}

// Shows the halted assets, the frozen businesses, and the history of all stops.
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Freeze, Halt, StopEvent } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago, State } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import styles from '../operator.module.css';
import { useMay } from '../rules.tsx';
import { LiftDialog, ResumeAssetDialog, useFreezes, useHalts, useHistory } from './dialogs.tsx';

export function Halts() {
  const { mode } = useOperatorLocation();
  const { data, error, refetch } = useHalts();
  const [chosen, choose] = useState<Halt | null>(null);
  const mayPropose = useMay('propose');
  const columns: readonly Column<Halt>[] = [
    { title: 'Asset', cell: ({ asset }) => asset },
    { title: 'State', from: 'sm', cell: () => <State state="halted" /> },
    { title: 'Reason', cell: ({ reason }) => reason },
    { title: 'Since', from: 'sm', cell: ({ at }) => <Ago at={at} /> },
    ...(mayPropose ? [buttonOf<Halt>('Propose to resume', ({ asset }) => asset, choose)] : []),
  ];
  return (
    <Section
      title="Halted assets"
      lead="The service halts sends of an asset when its books or its treasury do not balance."
      bare
    >
      <DataTable
        caption="Halted assets"
        columns={columns}
        rows={data?.halts.filter((each) => each.mode === mode)}
        rowKey={({ asset }) => asset}
        error={error}
        retry={() => void refetch()}
        empty={<Quiet>No asset is halted in {mode} mode.</Quiet>}
      />
      {chosen !== null && <ResumeAssetDialog halt={chosen} onClose={() => choose(null)} />}
    </Section>
  );
}

export function Freezes() {
  const { mode, base } = useOperatorLocation();
  const { data, error, refetch } = useFreezes();
  const [chosen, choose] = useState<Freeze | null>(null);
  const mayPropose = useMay('propose');
  const columns: readonly Column<Freeze>[] = [
    {
      title: 'Business',
      cell: ({ business_id: id }) => (
        <TextLink className="mono" to={`${base}/businesses/${id}`}>
          {id}
        </TextLink>
      ),
    },
    { title: 'Reason', from: 'sm', cell: ({ reason }) => reason },
    { title: 'Since', from: 'sm', cell: ({ at }) => <Ago at={at} /> },
    ...(mayPropose ? [buttonOf<Freeze>('Lift freeze', ({ business_id: id }) => id, choose)] : []),
  ];
  return (
    <Section title="Frozen businesses" lead="Their money is blocked; their requests are still accepted." bare>
      <DataTable
        caption="Frozen businesses"
        columns={columns}
        rows={data?.freezes.filter((each) => each.mode === mode)}
        rowKey={({ business_id: id }) => id}
        error={error}
        retry={() => void refetch()}
        empty={<Quiet>No business is frozen in {mode} mode.</Quiet>}
      />
      {chosen !== null && <LiftDialog freeze={chosen} onClose={() => choose(null)} />}
    </Section>
  );
}

function Quiet({ children }: { readonly children: ReactNode }) {
  return <p className={styles.goodNews}>{children}</p>;
}

function buttonOf<Row>(
  label: string,
  nameOf: (row: Row) => string,
  onClick: (row: Row) => void,
): Column<Row> {
  return {
    ...{ title: 'Actions', align: 'right' },
    cell: (row) => (
      <Button size="compact-xs" variant="default" onClick={() => onClick(row)}>
        {label}
        <span className="only-screen-reader"> {nameOf(row)}</span>
      </Button>
    ),
  };
}

const ACTIONS: Readonly<Record<string, { readonly label: string; readonly tone: 'failed' | 'completed' }>> = {
  movements_paused: { label: 'All movements paused', tone: 'failed' },
  movements_resumed: { label: 'Movements resumed', tone: 'completed' },
  sends_halted: { label: 'Sends halted', tone: 'failed' },
  'business.frozen': { label: 'Business frozen', tone: 'failed' },
  freeze_lifted: { label: 'Freeze lifted', tone: 'completed' },
};

const EVENTS: readonly Column<StopEvent>[] = [
  {
    title: 'Event',
    cell: ({ action }) => <State state={action} {...ACTIONS[action]} />,
  },
  { title: 'Time', cell: ({ at }) => <Ago at={at} /> },
  { title: 'Actor', from: 'sm', cell: ({ name, actor }) => name ?? <span className="mono">{actor}</span> },
  {
    ...{ title: 'Scope', from: 'md' },
    cell: ({ asset, business_id: id, mode }) =>
      [asset, id, mode].filter((each) => each !== null).join(', ') || 'All money',
  },
  { title: 'Reason', from: 'sm', cell: ({ reason }) => reason ?? <span className="quiet">No reason</span> },
];

export function History() {
  const list = useHistory();
  return (
    <Section title="History" lead="Both modes, newest first, from the audit log." bare>
      <DataTable
        caption="History of stops"
        columns={EVENTS}
        {...list}
        rowKey={({ no }) => String(no)}
        empty={
          <Empty icon="stop" title="No stops yet">
            Pauses, halts and freezes appear here with their actor, time and reason.
          </Empty>
        }
      />
    </Section>
  );
}

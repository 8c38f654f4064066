// Lists recent sends, withdrawals, and the state of the providers.
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Treasury, TreasuryProvider, TreasurySend } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { duration, words } from '../../../components/format.ts';
import { OutsideLink } from '../../../components/link.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago, Id, State, TokenAmount } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';

const SENDS: readonly Column<TreasurySend>[] = [
  { title: 'Kind', cell: ({ kind }) => words(kind) },
  { title: 'State', cell: ({ state }) => <State state={state} /> },
  {
    title: 'To',
    from: 'md',
    cell: ({ address }) => address !== null && <Id value={address} label="address" />,
  },
  { title: 'Hash', from: 'md', cell: (row) => <Hash {...row} /> },
  { title: 'Time', from: 'sm', cell: ({ created_at: at }) => <Ago at={at} /> },
  {
    ...{ title: 'Amount', align: 'right' },
    cell: ({ amount, asset }) => amount !== null && <TokenAmount amount={amount} asset={asset} />,
  },
];

function Hash({ tx_hash: hash, explorer_url: url }: TreasurySend) {
  if (hash === null) return <span className="quiet">Not signed</span>;
  if (url === null) return <Id value={hash} label="hash" />;
  return <OutsideLink href={url}>{`${hash.slice(0, 10)}…`}</OutsideLink>;
}

const keyOf = ({ movement_id: id }: TreasurySend) => id;

function useHref() {
  const { base } = useOperatorLocation();
  return ({ movement_id: id }: TreasurySend) => `${base}/review/${id}`;
}

export function RecentSends({ treasuries }: { readonly treasuries: readonly Treasury[] | undefined }) {
  const [network, setNetwork] = useState<string | null>(null);
  const href = useHref();
  const busiest = treasuries?.find(({ sends }) => sends.length > 0) ?? treasuries?.[0];
  const chosen = treasuries?.find((each) => each.network === network) ?? busiest;
  return (
    <Section
      title="Recent sends"
      bare
      actions={
        treasuries !== undefined &&
        treasuries.length > 1 && (
          <SegmentedControl
            aria-label="Network"
            size="xs"
            value={chosen?.network ?? ''}
            onChange={setNetwork}
            data={treasuries.map((each) => each.network)}
          />
        )
      }
    >
      <DataTable
        caption={`Recent sends on ${chosen?.network ?? 'the network'}`}
        columns={SENDS}
        rows={treasuries === undefined ? undefined : (chosen?.sends ?? [])}
        rowKey={keyOf}
        rowHref={href}
        empty={
          <Empty icon="swap" title={`No sends on ${chosen?.network ?? 'this network'} yet`}>
            Sends of buys, token refunds and withdrawals appear here once reserved.
          </Empty>
        }
      />
    </Section>
  );
}

export function Withdrawals({ sends }: { readonly sends: readonly TreasurySend[] | undefined }) {
  const href = useHref();
  const network: Column<TreasurySend> = { title: 'Network', cell: (row) => row.network };
  return (
    <Section
      title="Withdrawals"
      lead="Tokens withdrawn from the treasuries with the approval of two people."
      bare
    >
      <DataTable
        caption="Recent withdrawals"
        columns={[network, ...SENDS.slice(1)]}
        rows={sends}
        rowKey={keyOf}
        rowHref={href}
        empty={
          <Empty icon="wallet" title="No withdrawals yet">
            Propose one with “Withdraw tokens”. It appears here once a second person has approved it.
          </Empty>
        }
      />
    </Section>
  );
}

type NamedProvider = TreasuryProvider & { readonly network: string };

const PROVIDERS: readonly Column<NamedProvider>[] = [
  { title: 'Provider', cell: ({ name }) => name },
  { title: 'Network', cell: ({ network }) => network },
  {
    title: 'State',
    cell: ({ answers }) => (
      <State state={answers ? 'responding' : 'not_responding'} tone={answers ? 'completed' : 'failed'} />
    ),
  },
  {
    title: 'Last problem',
    from: 'md',
    cell: ({ problem }) => problem ?? <span className="quiet">None</span>,
  },
  {
    ...{ title: 'Failures', from: 'sm', align: 'right' },
    cell: ({ failures }) => failures,
  },
  {
    ...{ title: 'Down for', from: 'sm', align: 'right' },
    cell: ({ silent_seconds: seconds }) => (seconds === 0 ? '—' : duration(seconds)),
  },
];

export function Providers({ treasuries }: { readonly treasuries: readonly Treasury[] }) {
  const rows = treasuries.flatMap(({ network, providers }) =>
    providers.map((provider) => ({ ...provider, network })),
  );
  if (rows.length === 0) return null;
  return (
    <Section title="Providers" lead="Where a network has two providers, both must agree." bare>
      <DataTable
        caption="Providers of all networks"
        columns={PROVIDERS}
        rows={rows}
        rowKey={({ network, name }) => `${network} ${name}`}
        empty={null}
      />
    </Section>
  );
}

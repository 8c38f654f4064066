// What left the treasuries last, withdrawals, and how the providers are doing.
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
  { title: 'When', from: 'sm', cell: ({ created_at: at }) => <Ago at={at} /> },
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

export function LastSends({ treasuries }: { readonly treasuries: readonly Treasury[] | undefined }) {
  const [network, setNetwork] = useState<string | null>(null);
  const href = useHref();
  const busiest = treasuries?.find(({ sends }) => sends.length > 0) ?? treasuries?.[0];
  const chosen = treasuries?.find((each) => each.network === network) ?? busiest;
  return (
    <Section
      title="Last sends"
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
        caption={`Last sends on ${chosen?.network ?? 'the network'}`}
        columns={SENDS}
        rows={treasuries === undefined ? undefined : (chosen?.sends ?? [])}
        rowKey={keyOf}
        rowHref={href}
        empty={
          <Empty icon="swap" title={`Nothing left the treasury on ${chosen?.network ?? 'this network'} yet`}>
            Tokens of buys, refunds of sells and withdrawals appear here as soon as they are reserved.
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
    <Section title="Withdrawals" lead="What two people took out of the treasuries." bare>
      <DataTable
        caption="Last withdrawals"
        columns={[network, ...SENDS.slice(1)]}
        rows={sends}
        rowKey={keyOf}
        rowHref={href}
        empty={
          <Empty icon="wallet" title="No tokens were withdrawn yet">
            Propose one with “Withdraw tokens”. It appears here when a second person has approved it.
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
      <State state={answers ? 'answers' : 'silent'} tone={answers ? 'completed' : 'failed'} />
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
    ...{ title: 'Silent for', from: 'sm', align: 'right' },
    cell: ({ silent_seconds: seconds }) => (seconds === 0 ? '—' : duration(seconds)),
  },
];

export function Providers({ treasuries }: { readonly treasuries: readonly Treasury[] }) {
  const rows = treasuries.flatMap(({ network, providers }) =>
    providers.map((provider) => ({ ...provider, network })),
  );
  if (rows.length === 0) return null;
  return (
    <Section title="Providers" lead="What is proven on a network takes two of them where there are two." bare>
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

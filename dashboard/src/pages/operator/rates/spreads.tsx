// The spread rules of a product: the narrowest one holds. Without any, nothing is quoted.
import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Spread } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import type { Mode } from '../../../frame/place.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { Empty } from '../../../parts/message.tsx';
import { Section } from '../../../parts/page.tsx';
import { Ago } from '../../../parts/time.tsx';
import { CURRENCIES, type Currency, type Product, spreadText, wordsOf } from '../../rates/words.ts';
import { useMay } from '../rights.ts';
import { useSetSpread, useSpreads } from './data.ts';

/** Those without a rule of their own. */
const ALL = 'All others';
const MAX_BPS = 5_000;

const COLUMNS: readonly Column<Spread>[] = [
  { title: 'Currency', cell: ({ currency }) => currency ?? ALL },
  { title: 'Tier', cell: ({ tier }) => tier ?? ALL },
  {
    ...{ title: 'Spread', align: 'right' },
    cell: ({ spread_bps: bps }) => (
      <>
        {spreadText(bps)} <span className="quiet">{bps} bps</span>
      </>
    ),
  },
  { title: 'Set by', from: 'md', cell: ({ set_by: by }) => by.name ?? by.actor },
  { title: 'Since', from: 'sm', align: 'right', cell: ({ from }) => <Ago at={from} /> },
];

interface SpreadsProps {
  readonly mode: Mode;
  readonly product: Product;
  readonly tiers: readonly string[];
}

export function Spreads({ mode, product, tiers }: SpreadsProps) {
  const { data, error, refetch } = useSpreads(mode);
  const [editing, setEditing] = useState<Pick<Spread, 'currency' | 'tier' | 'spread_bps'> | null>(null);
  const maySet = useMay('propose');
  const set = (
    <Button
      size="xs"
      variant="default"
      onClick={() => setEditing({ currency: null, tier: null, spread_bps: 0 })}
    >
      Set a spread
    </Button>
  );
  return (
    <Section
      title="Spreads"
      lead="The narrowest rule that fits is used: currency and tier, then tier, then currency, then all. Quotes that were made keep their rate."
      actions={maySet && set}
      bare
    >
      <DataTable
        caption={`Spreads of ${wordsOf(product).title}`}
        columns={COLUMNS}
        rows={data?.spreads.filter((each) => each.product === product)}
        rowKey={({ currency, tier }) => `${currency} ${tier}`}
        {...(maySet && { onRow: setEditing })}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty icon="rates" title="No spread is set" action={maySet && set}>
            Nothing is quoted without one. A spread of zero must be set, too.
          </Empty>
        }
      />
      {editing !== null && (
        <SpreadDialog
          mode={mode}
          product={product}
          tiers={tiers}
          given={editing}
          needsTwo={data?.needs_two ?? true}
          onClose={() => setEditing(null)}
        />
      )}
    </Section>
  );
}

interface DialogProps extends SpreadsProps {
  readonly given: Pick<Spread, 'currency' | 'tier' | 'spread_bps'>;
  readonly needsTwo: boolean;
  readonly onClose: () => void;
}

function SpreadDialog({ mode, product, tiers, given, needsTwo, onClose }: DialogProps) {
  const [currency, setCurrency] = useState<Currency | ''>(given.currency ?? '');
  const [tier, setTier] = useState(given.tier ?? '');
  const [bps, setBps] = useState<number | ''>(given.spread_bps);
  const set = useSetSpread(mode, product, onClose);
  const { title } = wordsOf(product);
  const named = tier.trim();
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Set a spread of ${title}, ${mode} mode`}
      confirm={needsTwo ? 'Propose spread' : 'Set spread'}
      busy={set.isPending}
      error={set.error}
      disabled={bps === ''}
      onConfirm={() =>
        bps !== '' &&
        set.mutate({
          ...(currency !== '' && { currency }),
          ...(named !== '' && { tier: named }),
          spread_bps: bps,
        })
      }
    >
      <NativeSelect
        label="Currency"
        value={currency}
        onChange={(event) => setCurrency(event.currentTarget.value as Currency | '')}
        data={[{ value: '', label: ALL }, ...CURRENCIES]}
      />
      <TextInput
        label="Tier of businesses"
        description="Left empty: all others, which have no rule of their own."
        value={tier}
        onChange={(event) => setTier(event.currentTarget.value)}
        list="rate-tiers"
        maxLength={32}
        spellCheck={false}
        error={mistakeOf(set.error, 'tier')}
      />
      <datalist id="rate-tiers">
        {tiers.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <NumberInput
        label="Basis points"
        description={bps === '' ? '100 are one per cent.' : `${spreadText(bps)} of the value.`}
        value={bps}
        onChange={(value) => setBps(value === '' ? '' : Number(value))}
        min={0}
        max={MAX_BPS}
        allowDecimal={false}
        error={mistakeOf(set.error, 'spread_bps')}
        data-autofocus
      />
      <p>
        {needsTwo
          ? 'A second person must approve it with their second factor. Nothing changes before that.'
          : 'Businesses are quoted with it at once.'}
      </p>
    </ConfirmDialog>
  );
}

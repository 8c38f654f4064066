// The spread rules of a product. The most specific rule applies. Without any rule, the service gives no quotes.
import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { put } from '../../../api/calls.ts';
import type { Spread } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { FormDialog } from '../../../components/dialogs.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago } from '../../../components/values.tsx';
import type { Mode } from '../../../layout/location.ts';
import { CURRENCIES, type Currency, type Product, spreadText, wordsOf } from '../../rates/words.ts';
import { useMay } from '../rules.tsx';
import { changeOf, useSpreads } from './data.ts';

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
      Set spread{' '}
    </Button>
  );
  return (
    <Section
      title="Spreads"
      lead="The most specific rule applies: currency and tier, then tier, then currency, then all. Existing quotes keep their rate."
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
          <Empty icon="rates" title="No spreads yet" action={maySet && set}>
            Rates are quoted only with a spread, even if it is zero.
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

/**
 * An empty currency or tier stands for all that have no rule of their own. An empty number means that the person has not typed
 * it yet.
 */
type Given = Record<'currency', Currency | ''> & Record<'tier', string> & Record<'spread_bps', number | ''>;

interface DialogProps extends SpreadsProps {
  readonly given: Pick<Spread, 'currency' | 'tier' | 'spread_bps'>;
  readonly needsTwo: boolean;
  readonly onClose: () => void;
}

function SpreadDialog({ mode, product, tiers, given, needsTwo, onClose }: DialogProps) {
  const form = useForm<Given>({
    initialValues: {
      currency: given.currency ?? '',
      tier: given.tier ?? '',
      spread_bps: given.spread_bps,
    },
  });
  const { currency, tier, spread_bps: bps } = form.values;
  const { title } = wordsOf(product);
  const body = {
    ...{ mode, product, spread_bps: Number(bps) },
    ...(currency !== '' && { currency }),
    ...(tier.trim() !== '' && { tier: tier.trim() }),
  };
  return (
    <FormDialog
      {...changeOf('Spread set. It applies from now on.')}
      onClose={onClose}
      title={`Set ${title} spread, ${mode} mode`}
      confirm={needsTwo ? 'Propose spread' : 'Set spread'}
      form={form}
      disabled={bps === ''}
      run={() => put('/operator/spreads', { body })}
    >
      <NativeSelect
        {...form.getInputProps('currency')}
        label="Currency"
        data={[{ value: '', label: ALL }, ...CURRENCIES]}
      />
      <TextInput
        {...form.getInputProps('tier')}
        label="Business tier"
        description="Leave empty for all tiers without their own rule."
        list="rate-tiers"
        maxLength={32}
        spellCheck={false}
      />
      <datalist id="rate-tiers">
        {tiers.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <NumberInput
        {...form.getInputProps('spread_bps')}
        label="Basis points"
        description={bps === '' ? '100 basis points are 1 %.' : `${spreadText(Number(bps))} of the value.`}
        min={0}
        max={MAX_BPS}
        allowDecimal={false}
        data-autofocus
      />
      <p>
        {needsTwo
          ? 'A second person must approve it with their second factor. Nothing changes until then.'
          : 'It applies to new quotes immediately.'}
      </p>
    </FormDialog>
  );
}

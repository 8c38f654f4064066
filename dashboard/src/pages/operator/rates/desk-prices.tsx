// The prices that the desk of the operator set, newest first, and the action that withdraws a price.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { DeskPrice } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { FormDialog } from '../../../components/dialogs.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago, Countdown, State } from '../../../components/values.tsx';
import type { Mode } from '../../../layout/location.ts';
import { type Product, rateText } from '../../rates/words.ts';
import { useMay } from '../rules.tsx';
import { changeOf, useDeskPrices } from './data.ts';
import styles from './rates.module.css';

const COLUMNS: readonly Column<DeskPrice>[] = [
  {
    title: 'Currency',
    cell: ({ currency, override, sample }) => (
      <span className={styles.states}>
        <strong>{currency}</strong>
        {sample && <State state="sample" tone="person" />}
        {override && <State state="override" tone="progress" />}
      </span>
    ),
  },
  { title: 'Price', align: 'right', cell: ({ value }) => rateText(value) },
  { title: 'Set by', from: 'sm', cell: (price) => <By price={price} /> },
  { title: 'Set at', from: 'md', align: 'right', cell: ({ set_at: at }) => <Ago at={at} /> },
  { title: 'Valid for', from: 'sm', align: 'right', cell: (price) => <Validity price={price} /> },
];

function By({ price: { set_by: by, approved_by: approved, sample } }: { readonly price: DeskPrice }) {
  if (sample) return <span className="quiet">The service</span>;
  const names = [by, approved].flatMap((each) => (each === null ? [] : [each.name ?? each.actor]));
  return names.join(', approved by ');
}

function Validity({ price: { in_force: inForce, valid_until: until } }: { readonly price: DeskPrice }) {
  if (!inForce) return <span className="quiet">Replaced</span>;
  return until === null ? 'No expiry' : <Countdown to={until} />;
}

export function DeskPrices({ mode, product }: { readonly mode: Mode; readonly product: Product }) {
  const { data, error, refetch } = useDeskPrices(mode, product);
  const [ending, setEnding] = useState<DeskPrice | null>(null);
  const mayEnd = useMay('stop');
  return (
    <Section title="Desk prices" lead="Prices set in the last seven days, newest first." bare>
      <DataTable
        caption="Desk prices"
        columns={mayEnd ? [...COLUMNS, endColumn(setEnding)] : COLUMNS}
        rows={data?.prices}
        rowKey={({ currency, set_at: at, value }) => `${currency} ${at} ${value}`}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty icon="rates" title="No desk prices in the last seven days">
            Prices that you set appear here with their author and approver.
          </Empty>
        }
      />
      {ending !== null && (
        <EndPrice mode={mode} product={product} price={ending} onClose={() => setEnding(null)} />
      )}
    </Section>
  );
}

function endColumn(open: (price: DeskPrice) => void): Column<DeskPrice> {
  return {
    ...{ title: 'Actions', align: 'right' },
    cell: (price) =>
      price.in_force && (
        <Button size="compact-xs" variant="default" onClick={() => open(price)}>
          End<span className="only-screen-reader"> {price.currency} price</span>
        </Button>
      ),
  };
}

interface EndProps {
  readonly mode: Mode;
  readonly product: Product;
  readonly price: DeskPrice;
  readonly onClose: () => void;
}

function EndPrice({ mode, product, price: { currency, value }, onClose }: EndProps) {
  const params = { mode, product };
  return (
    <FormDialog
      {...changeOf('Desk price ended. The book updates shortly.')}
      onClose={onClose}
      title={`End ${currency} price`}
      danger
      run={() =>
        post('/operator/rates/{mode}/{product}/withdraw', { params, body: { currencies: [currency] } })
      }
    >
      <p>
        {rateText(value)} is no longer used, effective immediately. If no other source has a rate for{' '}
        {currency}, the API returns 503 for the whole product until you set a new price.
      </p>
      <p>Existing quotes keep their rate.</p>
    </FormDialog>
  );
}

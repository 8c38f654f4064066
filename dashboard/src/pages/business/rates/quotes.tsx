// All quotes of the business in one mode, newest first.
import { NativeSelect } from '@mantine/core';
import type { Quote } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { digits } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago, Money, State, useSeconds } from '../../../components/values.tsx';
import { type BusinessLocation, useFilters } from '../../../layout/location.ts';
import { rateText } from '../../rates/words.ts';
import { useQuotes } from './data.ts';
import { stateAt, TONES } from './quote.ts';

interface QuotesProps {
  readonly location: BusinessLocation;
  readonly onChoose: (quote: Quote) => void;
}

const STATES = ['open', 'used', 'expired'] as const;

export function Quotes({ location, onChoose }: QuotesProps) {
  const { filters, set } = useFilters();
  const state = STATES.find((each) => each === filters.state);
  const list = useQuotes(location, state);
  return (
    <Section
      title="Your quotes"
      actions={
        <NativeSelect
          aria-label="Filter quotes by state"
          size="xs"
          value={state ?? ''}
          onChange={(event) => set({ state: event.currentTarget.value })}
          data={[
            { value: '', label: 'All states' },
            { value: 'open', label: 'Open' },
            { value: 'used', label: 'Used' },
            { value: 'expired', label: 'Expired' },
          ]}
        />
      }
      bare
    >
      <DataTable
        caption="Your quotes"
        columns={columnsOf(location)}
        {...list}
        rowKey={({ quote_id: id }) => id}
        onRow={onChoose}
        empty={
          <Empty icon="rates" title={state === undefined ? 'No quotes yet' : `No ${state} quotes`}>
            Create one above, or with POST /quotes/v1. Unused quotes are deleted a few days after they expire.
          </Empty>
        }
      />
    </Section>
  );
}

function columnsOf({ base }: BusinessLocation): readonly Column<Quote>[] {
  return [
    {
      title: 'Quote',
      cell: ({ side, amount, currency }) =>
        `${side === 'buy' ? 'Buy' : 'Sell'} ${digits(amount)} ${currency}`,
    },
    { title: 'State', cell: (quote) => <QuoteState quote={quote} /> },
    {
      ...{ title: 'Rate', align: 'right', from: 'md' },
      cell: ({ rate, currency }) => (currency === 'NGN' ? <span className="quiet">—</span> : rateText(rate)),
    },
    { title: 'Naira', align: 'right', cell: ({ naira_amount: amount }) => <Money amount={amount} /> },
    { title: 'Created', align: 'right', from: 'sm', cell: ({ created_at: at }) => <Ago at={at} /> },
    {
      ...{ title: 'Transaction', align: 'right', from: 'sm' },
      cell: ({ transaction_id: id }) =>
        id === null ? (
          <span className="quiet">—</span>
        ) : (
          <TextLink to={`${base}/transactions/${id}`}>Open</TextLink>
        ),
    },
  ];
}

function QuoteState({ quote }: { readonly quote: Quote }) {
  const state = stateAt(quote, useSeconds());
  return <State state={state} tone={TONES[state]} />;
}

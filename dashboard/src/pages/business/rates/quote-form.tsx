// Asks for a quote: what is bought or sold, how much, in which currency, and on which network.
import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { idempotencyKey } from '../../../api/calls.ts';
import type { Quote } from '../../../api/console-types.ts';
import { beyondFields, mistakeOf } from '../../../api/failure.ts';
import { type BusinessPlace, useBusinessRole } from '../../../frame/place.ts';
import { Failure, Section } from '../../../parts/page.tsx';
import { CURRENCIES } from '../../rates/words.ts';
import { useNetworks } from '../transactions/data.ts';
import { useMakeQuote, type Wanted } from './data.ts';
import styles from './rates.module.css';

const FIRST: Wanted = { side: 'buy', amount: '100.00', currency: 'USD', network: '' };

interface QuoteFormProps {
  readonly place: BusinessPlace;
  readonly onMade: (quote: Quote) => void;
}

export function QuoteForm({ place, onMade }: QuoteFormProps) {
  const role = useBusinessRole();
  const [wanted, setWanted] = useState<Wanted>(FIRST);
  // The key stays until something else is asked for: a second click on the same button makes no second quote.
  const [headers, setHeaders] = useState(idempotencyKey);
  const make = useMakeQuote(place, (quote) => {
    setHeaders(idempotencyKey());
    onMade(quote);
  });
  const change = (changes: Partial<Wanted>) => {
    setWanted({ ...wanted, ...changes });
    setHeaders(idempotencyKey());
    make.reset();
  };
  if (role === 'viewer')
    return (
      <Section title="Make a quote">
        <p className={styles.note}>Owners and developers of the business make quotes. You see them below.</p>
      </Section>
    );
  return (
    <Section title="Make a quote">
      <form
        className="column"
        onSubmit={(event) => {
          event.preventDefault();
          if (!make.isPending) make.mutate({ wanted, headers });
        }}
      >
        <Fields place={place} wanted={wanted} change={change} error={make.error} />
        {make.error !== null && beyondFields(make.error, 'amount', 'currency', 'network') !== undefined && (
          <Failure error={make.error} meaning="No quote was made." />
        )}
        <Button type="submit" loading={make.isPending} disabled={wanted.amount.trim() === ''}>
          Make a quote
        </Button>
      </form>
    </Section>
  );
}

interface FieldsProps {
  readonly place: BusinessPlace;
  readonly wanted: Wanted;
  readonly change: (changes: Partial<Wanted>) => void;
  readonly error: unknown;
}

function Fields({ place, wanted, change, error }: FieldsProps) {
  const networks = useNetworks(place);
  return (
    <>
      <SegmentedControl
        aria-label="Buy or sell"
        fullWidth
        value={wanted.side}
        onChange={(value) =>
          change(value === 'sell' ? { side: 'sell', currency: 'NGN' } : { side: 'buy', currency: 'USD' })
        }
        data={[
          { value: 'buy', label: 'Buy' },
          { value: 'sell', label: 'Sell' },
        ]}
      />
      <div className={styles.pair}>
        <TextInput
          label="Amount"
          value={wanted.amount}
          inputMode="decimal"
          autoComplete="off"
          maxLength={30}
          error={mistakeOf(error, 'amount')}
          onChange={(event) => change({ amount: event.currentTarget.value })}
        />
        <NativeSelect
          label="Currency"
          value={wanted.currency}
          // A sell is always in naira: one token is one naira.
          data={wanted.side === 'sell' ? ['NGN'] : ['NGN', ...CURRENCIES]}
          error={mistakeOf(error, 'currency')}
          onChange={(event) => change({ currency: event.currentTarget.value })}
        />
      </div>
      <NativeSelect
        label="Network"
        description="A quote for one network binds the transaction to it."
        value={wanted.network}
        data={[{ value: '', label: 'Any network' }, ...networks]}
        error={mistakeOf(error, 'network')}
        onChange={(event) => change({ network: event.currentTarget.value })}
      />
    </>
  );
}

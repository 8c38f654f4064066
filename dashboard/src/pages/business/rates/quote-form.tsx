// The form for a new quote: side, amount, currency and network.
import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { idempotencyKey } from '../../../api/calls.ts';
import type { Quote } from '../../../api/console-types.ts';
import { errorBeyondFields, mistakeOf } from '../../../api/failure.ts';
import { Failure, Section } from '../../../components/page.tsx';
import { type BusinessLocation, useBusinessRole } from '../../../layout/location.ts';
import { CURRENCIES } from '../../rates/words.ts';
import { useNetworks } from '../transactions/data.ts';
import { type QuoteFields, useMakeQuote } from './data.ts';
import styles from './rates.module.css';

const FIRST: QuoteFields = { side: 'buy', amount: '100.00', currency: 'USD', network: '' };

interface QuoteFormProps {
  readonly location: BusinessLocation;
  readonly onMade: (quote: Quote) => void;
}

export function QuoteForm({ location, onMade }: QuoteFormProps) {
  const role = useBusinessRole();
  const form = useForm<QuoteFields>({
    initialValues: FIRST,
    onValuesChange: () => {
      setHeaders(idempotencyKey());
      make.reset();
    },
  });
  const wanted = form.values;
  // The idempotency key stays the same until the person changes the form, so a second click does not create a second quote.
  const [headers, setHeaders] = useState(idempotencyKey);
  const make = useMakeQuote(location, (quote) => {
    setHeaders(idempotencyKey());
    onMade(quote);
  });
  if (role === 'viewer')
    return (
      <Section title="Create quote">
        <p className={styles.note}>
          Only owners and developers can create quotes. Existing quotes are listed below.
        </p>
      </Section>
    );
  return (
    <Section title="Create quote">
      <form
        className="column"
        onSubmit={(event) => {
          event.preventDefault();
          if (!make.isPending) make.mutate({ wanted, headers });
        }}
      >
        <Fields location={location} form={form} error={make.error} />
        {make.error !== null &&
          errorBeyondFields(make.error, 'amount', 'currency', 'network') !== undefined && (
            <Failure error={make.error} meaning="No quote was created." />
          )}
        <Button type="submit" loading={make.isPending} disabled={wanted.amount.trim() === ''}>
          Create quote
        </Button>
      </form>
    </Section>
  );
}

interface FieldsProps {
  readonly location: BusinessLocation;
  readonly form: UseFormReturnType<QuoteFields>;
  readonly error: unknown;
}

function Fields({ location, form, error }: FieldsProps) {
  const networks = useNetworks(location);
  const { side } = form.values;
  return (
    <>
      <SegmentedControl
        aria-label="Buy or sell"
        fullWidth
        value={side}
        onChange={(value) =>
          form.setValues(
            value === 'sell' ? { side: 'sell', currency: 'NGN' } : { side: 'buy', currency: 'USD' },
          )
        }
        data={[
          { value: 'buy', label: 'Buy' },
          { value: 'sell', label: 'Sell' },
        ]}
      />
      <div className={styles.pair}>
        <TextInput
          {...form.getInputProps('amount')}
          label="Amount"
          inputMode="decimal"
          autoComplete="off"
          maxLength={30}
          error={mistakeOf(error, 'amount')}
        />
        <NativeSelect
          {...form.getInputProps('currency')}
          label="Currency"
          // A sell is always in naira, because one token is worth one naira.
          data={side === 'sell' ? ['NGN'] : ['NGN', ...CURRENCIES]}
          error={mistakeOf(error, 'currency')}
        />
      </div>
      <NativeSelect
        {...form.getInputProps('network')}
        label="Network"
        description="If you choose a network, the transaction must use it."
        data={[{ value: '', label: 'Any network' }, ...networks]}
        error={mistakeOf(error, 'network')}
      />
    </>
  );
}

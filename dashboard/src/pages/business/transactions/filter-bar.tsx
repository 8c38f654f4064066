// The search field and the filters of the transaction list. They are in the URL of the page, so that a link shows the same
// list.
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { words } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { type BusinessLocation, useFilters } from '../../../layout/location.ts';
import { STATES, useNetworks } from './data.ts';
import { activeFilters } from './filters.ts';
import styles from './transactions.module.css';

const TYPING_MS = 350;

function TypedInput({
  name,
  label,
  placeholder,
  wide = false,
}: {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly wide?: boolean;
}) {
  const { filters, set } = useFilters();
  const given = filters[name] ?? '';
  const [text, setText] = useState(given);
  useEffect(() => setText(given), [given]);
  useEffect(() => {
    if (text === given) return;
    const timer = setTimeout(() => set({ [name]: text.trim() }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, given, name, set]);
  return (
    <TextInput
      className={wide ? styles.search : undefined}
      label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      {...(wide && { leftSection: <Icon name="search" size={16} />, type: 'search' })}
    />
  );
}

function Choice({
  name,
  label,
  options,
}: {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}) {
  const { filters, set } = useFilters();
  return (
    <NativeSelect
      label={label}
      value={filters[name] ?? ''}
      data={[{ value: '', label: 'All' }, ...options]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
}

function DayInput({ name, label }: { readonly name: string; readonly label: string }) {
  const { filters, set } = useFilters();
  return (
    <TextInput
      type="date"
      label={label}
      value={filters[name] ?? ''}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
}

const same = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));

export function FilterBar({ location }: { readonly location: BusinessLocation }) {
  const { filters, set } = useFilters();
  const networks = useNetworks(location);
  const active = activeFilters(filters);
  const [open, setOpen] = useState(active > 0);
  const none = { search: '', state: '', type: '', network: '', amount: '', from: '', to: '' };
  return (
    <search className={styles.bar}>
      <div className={styles.line}>
        <TypedInput
          wide
          name="search"
          label="Search"
          placeholder="Id, reference, account number, wallet, hash or amount"
        />
        <Button
          variant="default"
          leftSection={<Icon name="filter" size={16} />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {active === 0 ? 'Filters' : `Filters (${active})`}
        </Button>
        {(active > 0 || filters.search) && (
          <Button variant="subtle" onClick={() => set(none)}>
            Clear filters
          </Button>
        )}
      </div>
      {open && (
        <div className={`card ${styles.filters}`}>
          <Choice
            name="state"
            label="State"
            options={STATES.map((value) => ({ value, label: words(value) }))}
          />
          <Choice name="type" label="Type" options={same(['Buy', 'Sell'])} />
          <Choice name="network" label="Network" options={same(networks)} />
          <TypedInput name="amount" label="Amount (₦)" placeholder="15,000.00" />
          <DayInput name="from" label="From (Lagos)" />
          <DayInput name="to" label="To (Lagos)" />
        </div>
      )}
    </search>
  );
}

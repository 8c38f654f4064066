// A row of the routing table, new or changed.
import { MultiSelect, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AddRouteBody, Route } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { useOperatorPlace } from '../../../frame/place.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { useBanks } from '../decisions/account-fields.tsx';
import { amountOf, useRailChange } from './data.ts';
import { Approval } from './dialogs.tsx';
import styles from './rails.module.css';

interface RouteDialogProps {
  /** Null: a new one. */
  readonly given: Route | null;
  readonly rails: readonly string[];
  readonly needsTwo: boolean;
  readonly onClose: () => void;
}

/** As a person types them: a number that is not typed yet is empty. */
type Fields = Pick<Route, 'rail' | 'enabled'> &
  Readonly<Record<'priority' | 'weight', number | ''>> &
  Readonly<Record<'min' | 'max' | 'cost', string>> & { readonly banks: string[] };

function fieldsOf(given: Route | null, rails: readonly string[]): Fields {
  return {
    rail: given?.rail ?? rails[0] ?? '',
    priority: given?.priority ?? 1,
    weight: given?.weight ?? 1,
    min: given?.min_amount ?? '',
    max: given?.max_amount ?? '',
    banks: given?.banks?.map(({ code }) => code) ?? [],
    cost: given?.cost ?? '',
    enabled: given?.enabled ?? true,
  };
}

/** Null: something cannot be read. */
function routeOf({ rail, priority, weight, min, max, banks, cost, enabled }: Fields): AddRouteBody | null {
  if (rail === '' || priority === '' || weight === '') return null;
  const typed = { min_amount: min, max_amount: max, cost } satisfies Partial<AddRouteBody>;
  const amounts = Object.entries(typed).filter(([, text]) => text.trim() !== '');
  const read = amounts.map(([name, text]) => [name, amountOf(text)] as const);
  if (read.some(([, amount]) => amount === null)) return null;
  return { rail, priority, weight, enabled, ...(banks.length > 0 && { banks }), ...Object.fromEntries(read) };
}

export function RouteDialog({ given, rails, needsTwo, onClose }: RouteDialogProps) {
  const { mode } = useOperatorPlace();
  const [fields, setFields] = useState(() => fieldsOf(given, rails));
  const set = (changes: Partial<Fields>) => setFields((before) => ({ ...before, ...changes }));
  const change = useRailChange(mode, onClose);
  const route = routeOf(fields);
  const verb = given === null ? 'Add route' : 'Change route';
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={given === null ? 'Add route' : `Change route of ${given.rail}`}
      confirm={needsTwo ? 'Propose route' : verb}
      busy={change.isPending}
      error={change.error}
      disabled={route === null}
      onConfirm={() => route !== null && change.mutate({ what: 'route', id: given?.route_id ?? null, route })}
    >
      <RouteFields
        rails={[...new Set([...rails, ...(given === null ? [] : [given.rail])])]}
        fields={fields}
        set={set}
        error={change.error}
      />
      <Approval needsTwo={needsTwo} />
    </ConfirmDialog>
  );
}

interface RouteFieldsProps {
  readonly rails: readonly string[];
  readonly fields: Fields;
  readonly set: (changes: Partial<Fields>) => void;
  readonly error: unknown;
}

function RouteFields({ rails, fields, set, error }: RouteFieldsProps) {
  const amount = (name: 'min' | 'max' | 'cost', label: string, placeholder: string) => (
    <TextInput
      label={label}
      leftSection="₦"
      inputMode="decimal"
      placeholder={placeholder}
      value={fields[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      error={
        fields[name].trim() !== '' && amountOf(fields[name]) === null ? 'An amount such as 50000.00' : null
      }
    />
  );
  return (
    <>
      <NativeSelect
        label="Rail"
        data={[...rails]}
        value={fields.rail}
        onChange={(event) => set({ rail: event.currentTarget.value })}
        error={mistakeOf(error, 'rail')}
        data-autofocus
      />
      <div className={styles.pair}>
        <NumberInput
          label="Priority"
          description="The lowest that fits wins"
          value={fields.priority}
          onChange={(value) => set({ priority: value === '' ? '' : Number(value) })}
          min={1}
          max={999}
          allowDecimal={false}
        />
        <NumberInput
          label="Weight"
          description="Its share; 0 is the reserve"
          value={fields.weight}
          onChange={(value) => set({ weight: value === '' ? '' : Number(value) })}
          min={0}
          max={1_000}
          allowDecimal={false}
        />
      </div>
      <div className={styles.pair}>
        {amount('min', 'From amount', 'no lower bound')}
        {amount('max', 'To amount', 'no upper bound')}
      </div>
      <MultiSelect
        label="Banks of the customer"
        description="Left empty: every bank."
        data={useBanks()}
        value={fields.banks}
        onChange={(banks) => set({ banks })}
        searchable
        limit={50}
        nothingFoundMessage="No bank has this name"
        placeholder={fields.banks.length === 0 ? 'Type a name' : ''}
      />
      {amount('cost', 'Cost of one payout', 'not known')}
      <Switch
        label="Enabled"
        checked={fields.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </>
  );
}

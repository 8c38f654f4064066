// The form for a new or changed row of the routing table.
import { MultiSelect, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { post, put } from '../../../api/calls.ts';
import type { AddRouteBody, Route } from '../../../api/console-types.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useBanks } from '../decisions/account-fields.tsx';
import { ApprovalHint } from '../rules.tsx';
import { CHANGE, parseAmount } from './dialogs.tsx';
import styles from './rails.module.css';

interface RouteDialogProps {
  /** Null means that the form creates a new row. */
  readonly given: Route | null;
  readonly rails: readonly string[];
  readonly needsTwo: boolean;
  readonly onClose: () => void;
}

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

/** Null means that a value is not valid. */
function routeOf({ rail, priority, weight, min, max, banks, cost, enabled }: Fields): AddRouteBody | null {
  if (rail === '' || priority === '' || weight === '') return null;
  const typed = { min_amount: min, max_amount: max, cost } satisfies Partial<AddRouteBody>;
  const amounts = Object.entries(typed).filter(([, text]) => text.trim() !== '');
  const read = amounts.map(([name, text]) => [name, parseAmount(text)] as const);
  if (read.some(([, amount]) => amount === null)) return null;
  const order = { priority: Number(priority), weight: Number(weight) };
  return { rail, ...order, enabled, ...(banks.length > 0 && { banks }), ...Object.fromEntries(read) };
}

export function RouteDialog({ given, rails, needsTwo, onClose }: RouteDialogProps) {
  const { mode } = useOperatorLocation();
  const form = useForm({ initialValues: fieldsOf(given, rails) });
  const route = routeOf(form.values);
  const send = async (body: AddRouteBody) => {
    if (given === null) return post('/operator/rail-routes/{mode}', { params: { mode }, body });
    const params = { mode, route_id: String(given.route_id) };
    return put('/operator/rail-routes/{mode}/{route_id}', { params, body });
  };
  const verb = given === null ? 'Add route' : 'Change route';
  return (
    <FormDialog
      {...CHANGE}
      onClose={onClose}
      title={given === null ? 'Add route' : `Change route of ${given.rail}`}
      confirm={needsTwo ? 'Propose route' : verb}
      form={form}
      disabled={route === null}
      run={() => send(route!)}
    >
      <RouteFields rails={[...new Set([...rails, ...(given === null ? [] : [given.rail])])]} form={form} />
      <ApprovalHint needsTwo={needsTwo} />
    </FormDialog>
  );
}

interface RouteFieldsProps {
  readonly rails: readonly string[];
  readonly form: UseFormReturnType<Fields>;
}

function RouteFields({ rails, form }: RouteFieldsProps) {
  const fields = form.values;
  const amount = (name: 'min' | 'max' | 'cost', label: string, placeholder: string) => (
    <TextInput
      {...form.getInputProps(name)}
      label={label}
      leftSection="₦"
      inputMode="decimal"
      placeholder={placeholder}
      error={
        fields[name].trim() !== '' && parseAmount(fields[name]) === null
          ? 'Enter an amount such as 50000.00'
          : null
      }
    />
  );
  return (
    <>
      <NativeSelect {...form.getInputProps('rail')} label="Rail" data={[...rails]} data-autofocus />
      <div className={styles.pair}>
        <NumberInput
          {...form.getInputProps('priority')}
          label="Priority"
          description="Lowest matching number wins"
          min={1}
          max={999}
          allowDecimal={false}
        />
        <NumberInput
          {...form.getInputProps('weight')}
          label="Weight"
          description="Share; 0 = fallback only"
          min={0}
          max={1_000}
          allowDecimal={false}
        />
      </div>
      <div className={styles.pair}>
        {amount('min', 'Minimum amount', 'No minimum')}
        {amount('max', 'Maximum amount', 'No maximum')}
      </div>
      <MultiSelect
        {...form.getInputProps('banks')}
        label="Customer’s banks"
        description="Leave empty for all banks."
        data={useBanks()}
        searchable
        limit={50}
        nothingFoundMessage="No matching bank"
        placeholder={fields.banks.length === 0 ? 'Type a name' : ''}
      />
      {amount('cost', 'Cost per payout', 'Unknown')}
      <Switch {...form.getInputProps('enabled', { type: 'checkbox' })} label="Enabled" />
    </>
  );
}

// The withdrawal of tokens from a treasury. One person proposes the withdrawal and another approves it. Before the approval, no
// tokens leave the treasury.
import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { post } from '../../../api/calls.ts';
import type { Treasury } from '../../../api/console-types.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { digits, naira } from '../../../components/format.ts';
import { useOperatorLocation } from '../../../layout/location.ts';

interface WithdrawProps {
  readonly onClose: () => void;
  readonly treasuries: readonly Treasury[];
}

const AMOUNT = /^\d{1,13}(\.\d{1,2})?$/;

export function WithdrawDialog({ onClose, treasuries }: WithdrawProps) {
  const { mode } = useOperatorLocation();
  const form = useForm({ initialValues: { network: '', address: '', amount: '' } });
  const chosen = treasuries.find((each) => each.network === form.values.network) ?? treasuries[0];
  const address = form.values.address.trim();
  const given = form.values.amount.replaceAll(',', '').trim();
  const complete = chosen !== undefined && AMOUNT.test(given) && address !== '';
  const body = { mode, network: chosen?.network ?? '', address, amount: given };
  return (
    <FormDialog
      onClose={onClose}
      title="Withdraw tokens"
      confirm="Propose withdrawal"
      form={form}
      disabled={!complete}
      run={() => post('/operator/proposals/withdrawals', { body })}
      refreshes={['/operator/treasury', '/operator/proposals']}
      done="Proposed. Nothing leaves the treasury until another person approves it under Proposals."
    >
      <Select
        {...form.getInputProps('network')}
        label="Network"
        data={treasuries.map((each) => each.network)}
        value={chosen?.network ?? null}
        allowDeselect={false}
        description={chosen && `${digits(chosen.free)} ${chosen.asset} free`}
      />
      <TextInput
        {...form.getInputProps('amount')}
        label="Amount in tokens"
        description="One token is one naira."
        inputMode="decimal"
        placeholder="15000.00"
        required
        data-autofocus
      />
      <TextInput
        {...form.getInputProps('address')}
        label="Destination address"
        spellCheck={false}
        autoComplete="off"
        required
      />
      <p>
        {complete
          ? `${digits(given)} ${chosen.asset} (${naira(given)}) will leave the treasury on ${chosen.network}. `
          : ''}
        A second person must approve it with their second factor. Nothing moves until then.
      </p>
    </FormDialog>
  );
}

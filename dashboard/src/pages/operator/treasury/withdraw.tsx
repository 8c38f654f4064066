// Tokens out of a treasury: one person proposes, another approves. Nothing leaves before that.
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Treasury } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { useOperatorPlace } from '../../../frame/place.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { digits, naira } from '../../../parts/format.ts';
import { useProposeWithdrawal } from './data.ts';

interface WithdrawProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly treasuries: readonly Treasury[];
}

const AMOUNT = /^\d{1,13}(\.\d{1,2})?$/;

export function WithdrawDialog({ opened, onClose, treasuries }: WithdrawProps) {
  const { mode } = useOperatorPlace();
  const [network, setNetwork] = useState<string | null>(null);
  const [address, setAddress] = useState('');
  const [amount, setAmount] = useState('');
  const close = () => {
    setAddress('');
    setAmount('');
    onClose();
  };
  const propose = useProposeWithdrawal(close);
  const chosen = treasuries.find((each) => each.network === network) ?? treasuries[0];
  const given = amount.replaceAll(',', '').trim();
  const complete = chosen !== undefined && AMOUNT.test(given) && address.trim() !== '';
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title="Withdraw tokens"
      confirm="Propose withdrawal"
      busy={propose.isPending}
      error={propose.error}
      disabled={!complete}
      onConfirm={() =>
        complete && propose.mutate({ mode, network: chosen.network, address: address.trim(), amount: given })
      }
    >
      <Select
        label="Network"
        data={treasuries.map((each) => each.network)}
        value={chosen?.network ?? null}
        onChange={setNetwork}
        allowDeselect={false}
        description={chosen && `${digits(chosen.free)} ${chosen.asset} are free`}
      />
      <TextInput
        label="Amount in tokens"
        description="One token is one naira."
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        inputMode="decimal"
        placeholder="15000.00"
        error={mistakeOf(propose.error, 'amount')}
        required
        data-autofocus
      />
      <TextInput
        label="Address that gets the tokens"
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        error={mistakeOf(propose.error, 'address')}
        spellCheck={false}
        autoComplete="off"
        required
      />
      <p>
        {complete
          ? `${digits(given)} ${chosen.asset} (${naira(given)}) shall leave the treasury on ${chosen.network}. `
          : ''}
        A second person must approve it with their second factor. Nothing moves before that.
      </p>
    </ConfirmDialog>
  );
}

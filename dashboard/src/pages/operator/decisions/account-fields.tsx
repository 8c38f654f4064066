// Fields for bank accounts in forms. One field selects a bank from the directory. The other field selects an account of the
// operator.
import { Select } from '@mantine/core';
import type { BankAccount } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { naira } from '../../../components/format.ts';
import { type Mode, useOperatorLocation } from '../../../layout/location.ts';

const SHOWN = 50;

export function useBanks() {
  const { data } = useRead('/operator/banks');
  return (data?.banks ?? []).map(({ code, name }) => ({ value: code, label: name }));
}

interface BankSelectProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly required: boolean;
}

export function BankSelect({ value, onChange, required }: BankSelectProps) {
  return (
    <Select
      label="Bank"
      data={useBanks()}
      value={value === '' ? null : value}
      onChange={(code) => onChange(code ?? '')}
      searchable
      clearable={!required}
      limit={SHOWN}
      nothingFoundMessage="No matching bank"
      placeholder="Type a name"
      required={required}
    />
  );
}

export function useBankAccounts(mode: Mode) {
  return useRead('/operator/bank-accounts/{mode}', { params: { mode } });
}

export function accountName({ account, number, bank }: BankAccount): string {
  if (number === null) return 'Simulated bank';
  return bank === null ? account : `${bank} ${number}`;
}

interface OwnAccountProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly onChange: (account: string) => void;
  /** If absent, the list contains accounts of both kinds. */
  readonly kind?: BankAccount['kind'];
  readonly without?: string;
}

export function OwnAccountSelect({
  label,
  description,
  value,
  onChange,
  kind,
  without = '',
}: OwnAccountProps) {
  const { mode } = useOperatorLocation();
  const accounts = (useBankAccounts(mode).data?.accounts ?? []).filter(
    (each) => (kind === undefined || each.kind === kind) && each.account !== without,
  );
  return (
    <Select
      label={label}
      description={description}
      data={accounts.map((each) => ({
        value: each.account,
        label: `${accountName(each)} · ${each.kind === 'vendor' ? 'vendor' : 'payouts'} · ${naira(each.free)} free`,
      }))}
      value={value === '' ? null : value}
      onChange={(account) => onChange(account ?? '')}
      allowDeselect={false}
      nothingFoundMessage="No matching account"
      required
    />
  );
}

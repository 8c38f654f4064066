// The button that proposes the booking which ends a difference. Its label, the preview and the proposal have the same values.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { Difference, PreviewNairaBody } from '../../../api/console-types.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { naira } from '../../../components/format.ts';
import { Facts } from '../../../components/page.tsx';
import { BankAccount, Day as DayText, Money } from '../../../components/values.tsx';
import { PreviewPart, usePreview } from '../decisions/preview.tsx';
import { useMay } from '../rules.tsx';

type Booking = NonNullable<Difference['booking']>;

interface Props {
  readonly booking: Booking;
  readonly mode: PreviewNairaBody['mode'];
  readonly account: string;
}

export function BookingButton(props: Props) {
  const [isOpen, setOpen] = useState(false);
  const may = useMay('propose');
  if (!may) return null;
  return (
    <span>
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        {labelOf(props.booking)}
      </Button>
      {isOpen && <BookingDialog {...props} onClose={() => setOpen(false)} />}
    </span>
  );
}

const CHARGES: Readonly<Record<NonNullable<Booking['charge']>, string>> = {
  transfer_fee: 'transfer fee',
  vat: 'VAT',
  stamp_duty: 'stamp duty',
};

function labelOf({ kind, charge, amount }: Booking): string {
  if (kind === 'moved') return `Propose to book a move of ${naira(amount)}`;
  const words = charge === null ? 'charge' : CHARGES[charge];
  return `Propose to book ${naira(amount)} of ${kind === 'charge_returned' ? 'returned ' : ''}${words}`;
}

function BookingDialog({ booking, mode, account, onClose }: Props & { readonly onClose: () => void }) {
  const { kind, charge, amount, day, reference, to } = booking;
  const body: PreviewNairaBody = {
    ...{ mode, kind, account, amount, day, reference },
    ...(charge !== null && { charge }),
    ...(to !== null && { to }),
  };
  const preview = usePreview(body, (given) => post('/operator/naira/preview', { body: given }));
  return (
    <FormDialog
      onClose={onClose}
      title={labelOf(booking)}
      confirm="Propose booking"
      size="lg"
      disabled={!preview.isCurrent}
      run={() => post('/operator/proposals/naira', { body })}
      refreshes={['/operator/proposals', '/operator/bank-accounts']}
      done="Proposed. Nothing is booked until another person approves it under Proposals."
    >
      <Facts
        facts={[
          { label: 'Amount', value: <Money amount={amount} /> },
          { label: 'Account', value: <BankAccount account={account} /> },
          { label: 'Statement date', value: <DayText day={day} /> },
          { label: 'Statement reference', value: reference },
        ]}
      />
      <PreviewPart title="Postings once approved" of={preview} />
    </FormDialog>
  );
}

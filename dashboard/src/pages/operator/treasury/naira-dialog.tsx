// Naira that were moved at a bank, to be booked: what the statement shows, what it will post, and the proposal.
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { PreviewNairaBody } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { useAction } from '../../../api/query.ts';
import { useOperatorPlace } from '../../../frame/place.ts';
import { Failure } from '../../../parts/message.tsx';
import { Loading } from '../../../parts/page.tsx';
import { OwnAccountSelect } from '../decisions/account-fields.tsx';
import { PreviewView } from '../decisions/preview.tsx';
import { bodyOf, CHARGES, KINDS, type NairaFields, NO_FIELDS } from './naira.ts';
import styles from './treasury.module.css';

export function NairaDialog({ onClose }: { readonly onClose: () => void }) {
  const { mode } = useOperatorPlace();
  const [fields, setFields] = useState<NairaFields>(NO_FIELDS);
  const set = (changes: Partial<NairaFields>) => setFields((before) => ({ ...before, ...changes }));
  const body = bodyOf(mode, fields);
  const preview = useNairaPreview(body);
  const propose = useAction((given: PreviewNairaBody) => post('/operator/proposals/naira', { body: given }), {
    refreshes: ['/operator/proposals', '/operator/bank-accounts'],
    done: 'Proposed. Nothing is booked until another person approves it under Proposals.',
    onDone: onClose,
    quiet: true,
  });
  return (
    <Modal opened onClose={onClose} title="Book naira" size="lg">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (body !== null && preview.isCurrent && !propose.isPending) propose.mutate(body);
        }}
      >
        <Fields fields={fields} set={set} error={propose.error} />
        <section className={styles.preview} aria-label="What it will do" aria-live="polite">
          <p className={styles.previewTitle}>What it will post once it is approved</p>
          {body === null && <p className="quiet">Fill in the fields above to see it.</p>}
          {body !== null && preview.error !== null && <Failure error={preview.error} />}
          {body !== null && preview.error === null && preview.data === undefined && (
            <Loading lines={4} label="Loading the preview" />
          )}
          {body !== null && preview.error === null && preview.data !== undefined && (
            <PreviewView preview={preview.data.preview} />
          )}
        </section>
        {propose.error !== null && <Failure error={propose.error} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!preview.isCurrent} loading={propose.isPending}>
            Propose booking
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface FieldsProps {
  readonly fields: NairaFields;
  readonly set: (changes: Partial<NairaFields>) => void;
  readonly error: unknown;
}

function Fields({ fields, set, error }: FieldsProps) {
  const kind = KINDS.find(({ value }) => value === fields.kind)!;
  return (
    <>
      <NativeSelect
        label="What the statement shows"
        data={KINDS.map(({ value, label }) => ({ value, label }))}
        value={fields.kind}
        onChange={(event) => set({ kind: event.currentTarget.value as NairaFields['kind'] })}
        data-autofocus
      />
      {kind.asksCharge && (
        <NativeSelect
          label="Charge or levy"
          data={[...CHARGES]}
          value={fields.charge}
          onChange={(event) => set({ charge: event.currentTarget.value as NairaFields['charge'] })}
        />
      )}
      <OwnAccountSelect
        label={kind.account}
        value={fields.account}
        onChange={(account) => set({ account })}
        {...(kind.value === 'put_in' && { kind: 'payout' as const })}
      />
      {kind.value === 'moved' && (
        <OwnAccountSelect
          label="To account"
          value={fields.to}
          onChange={(to) => set({ to })}
          without={fields.account}
        />
      )}
      <TextInput
        label="Amount"
        leftSection="₦"
        inputMode="decimal"
        placeholder="15000.00"
        value={fields.amount}
        onChange={(event) => set({ amount: event.currentTarget.value })}
        error={mistakeOf(error, 'amount')}
        required
      />
      <div className={styles.pair}>
        <TextInput
          label="Day of the statement"
          type="date"
          value={fields.day}
          onChange={(event) => set({ day: event.currentTarget.value })}
          required
        />
        <TextInput
          label="Reference of the statement"
          description="The session id, or what the bank calls it."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={fields.reference}
          onChange={(event) => set({ reference: event.currentTarget.value })}
          maxLength={100}
          required
        />
      </div>
    </>
  );
}

function useNairaPreview(body: PreviewNairaBody | null) {
  const wanted = body === null ? null : JSON.stringify(body);
  const [asked] = useDebouncedValue(wanted, 300);
  const query = useQuery({
    queryKey: ['preview', 'naira', asked],
    queryFn: () => post('/operator/naira/preview', { body: JSON.parse(asked!) as PreviewNairaBody }),
    enabled: asked !== null && body !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  // What is proposed is what was shown.
  const isCurrent = wanted !== null && asked === wanted && query.isSuccess && !query.isPlaceholderData;
  return { data: query.data, error: query.error, isCurrent };
}

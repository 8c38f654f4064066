// Reads the vendor accounts. The dialogs add, rename, enable and disable an account and set its credit source. Each dialog says
// whether a second person must approve.
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { post, put } from '../../../api/calls.ts';
import type { Vendor } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { naira } from '../../../components/format.ts';
import { type Mode, useOperatorLocation } from '../../../layout/location.ts';
import { ApprovalHint, doneOrProposed } from '../rules.tsx';

interface AddProps {
  readonly onClose: () => void;
  readonly needsTwo: boolean;
}

export function AddVendor({ onClose, needsTwo }: AddProps) {
  const { mode } = useOperatorLocation();
  const form = useForm({ initialValues: { name: '', number: '', bank: '' } });
  const field = (name: keyof typeof form.values) => ({ ...form.getInputProps(name), required: true });
  return (
    <FormDialog
      {...CHANGE}
      onClose={onClose}
      title="Add vendor account"
      confirm={needsTwo ? 'Propose vendor account' : 'Add vendor account'}
      form={form}
      run={() => post('/operator/settings/vendors', { body: { mode, ...form.values } })}
    >
      <TextInput {...field('name')} label="Account name" maxLength={140} data-autofocus />
      <TextInput {...field('number')} label="Account number" inputMode="numeric" maxLength={10} />
      <TextInput {...field('bank')} label="Bank" maxLength={140} placeholder="Providus Bank" />
      <p>Buyers pay into this account. Check it twice.</p>
      <ApprovalHint needsTwo={needsTwo} />
    </FormDialog>
  );
}

interface ChangeProps extends AddProps {
  readonly vendor: Vendor;
}

export function RenameVendor({ vendor, onClose, needsTwo }: ChangeProps) {
  const form = useForm({ initialValues: { name: vendor.name } });
  const { name } = form.values;
  const params = { vendor_id: vendor.vendor_id };
  return (
    <FormDialog
      {...CHANGE}
      onClose={onClose}
      title="Rename vendor account"
      confirm={needsTwo ? 'Propose name' : 'Rename vendor account'}
      form={form}
      disabled={name.trim() === '' || name === vendor.name}
      run={() => put('/operator/settings/vendors/{vendor_id}/name', { params, body: { name } })}
    >
      <TextInput
        {...form.getInputProps('name')}
        label={`New name of ${vendor.number}, ${vendor.bank}`}
        maxLength={140}
        required
        data-autofocus
      />
      <p>Existing transactions keep the old name.</p>
      <ApprovalHint needsTwo={needsTwo} />
    </FormDialog>
  );
}

/** One person can disable a vendor account, because this only stops money. */
export function SwitchVendor({ vendor, onClose, needsTwo }: ChangeProps) {
  const { vendor_id, enabled, name, number, bank, awaited } = vendor;
  const verb = enabled ? 'Disable' : 'Enable';
  const body = { enabled: !enabled };
  return (
    <FormDialog
      {...CHANGE}
      onClose={onClose}
      title={`${verb} vendor account`}
      confirm={!enabled && needsTwo ? 'Propose to enable' : `${verb} vendor account`}
      danger={enabled}
      run={() => put('/operator/settings/vendors/{vendor_id}/enabled', { params: { vendor_id }, body })}
    >
      <p>
        {name}, {number}, {bank}
      </p>
      <p>
        {enabled
          ? 'New buys can no longer use this account. Payments for existing buys are still matched.'
          : 'Businesses see this account, and new buys can use it.'}
      </p>
      {enabled && awaited.buys > 0 && (
        <p>
          Payments of {naira(awaited.amount)} for {awaited.buys === 1 ? 'one buy' : `${awaited.buys} buys`}{' '}
          have not arrived yet.
        </p>
      )}
      <ApprovalHint needsTwo={!enabled && needsTwo} />
    </FormDialog>
  );
}

const STATEMENTS = 'statements';

interface SourceProps extends ChangeProps {
  readonly sources: readonly string[];
}

export function SetSource({ vendor, sources, onClose, needsTwo }: SourceProps) {
  const { vendor_id, name, number, bank, source: now } = vendor;
  const others = sources.filter((each) => each !== now);
  // The form preselects no credit source, because a wrong source would stop the credits of a rail.
  const form = useForm({ initialValues: { source: '' } });
  const { source } = form.values;
  return (
    <FormDialog
      {...CHANGE}
      onClose={onClose}
      title="Set credit source"
      confirm={needsTwo ? 'Propose source' : 'Set source'}
      form={form}
      disabled={source === ''}
      run={() =>
        put('/operator/settings/vendors/{vendor_id}/source', { params: { vendor_id }, body: { source } })
      }
      done={doneOrProposed(`Done. ${source} credits this account from now on.`)}
    >
      <p>
        {name}, {number}, {bank}
      </p>
      <p>
        One source credits an account; all others only confirm its credits.{' '}
        {now === null
          ? 'No source yet: the first rail that reports a credit becomes the source.'
          : `Current source: ${now}.`}
      </p>
      {others.length === 0 ? (
        <p>No other source: no rail is configured in this mode.</p>
      ) : (
        <NativeSelect
          {...form.getInputProps('source')}
          label="New source"
          data={[{ value: '', label: 'Choose a source' }, ...others.map(asOption)]}
          required
          data-autofocus
        />
      )}
      {source === STATEMENTS && <p>Use statements only for an account that no rail reports.</p>}
      <p>
        The new source credits payments from then on. If it reports a transfer that the old source has already
        credited, the report is linked to that credit.
      </p>
      <ApprovalHint needsTwo={needsTwo} />
    </FormDialog>
  );
}

function asOption(source: string) {
  return {
    value: source,
    label: source === STATEMENTS ? 'statements (statement files)' : `${source} (rail)`,
  };
}

export function useVendors(mode: Mode) {
  return useRead('/operator/vendors/{mode}', { params: { mode } });
}

const CHANGE = {
  refreshes: ['/operator/vendors', '/operator/proposals'],
  done: doneOrProposed('Done. Businesses see it immediately.'),
};

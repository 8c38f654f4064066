// The dialog that sets which source gives value for a vendor account. It says what the change does to credits, and whether a
// second person must approve it.
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { Vendor } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { useVendorChange } from './data.ts';
import { Approval } from './dialogs.tsx';

const STATEMENTS = 'statements';

interface SourceProps {
  readonly vendor: Vendor;
  /** What can give value in this mode. */
  readonly sources: readonly string[];
  readonly onClose: () => void;
  readonly needsTwo: boolean;
}

export function SetSource({ vendor, sources, onClose, needsTwo }: SourceProps) {
  const { vendor_id: vendorId, name, number, bank, source: now } = vendor;
  const others = sources.filter((each) => each !== now);
  // None is chosen in advance: a wrong source stops a rail from giving value.
  const [source, setSource] = useState('');
  const set = useVendorChange(onClose, `Done. ${source} gives value for this account from now on.`);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Set source of vendor account"
      confirm={needsTwo ? 'Propose source' : 'Set source'}
      busy={set.isPending}
      error={set.error}
      disabled={source === ''}
      onConfirm={() => set.mutate({ kind: 'source', vendorId, source })}
    >
      <p>
        {name}, {number}, {bank}
      </p>
      <p>
        One source gives value for an account. All others only confirm it.{' '}
        {now === null
          ? 'This account has no source yet: the first rail that reports a credit becomes it.'
          : `The source of this account is ${now}.`}
      </p>
      {others.length === 0 ? (
        <p>There is no other source in this mode: no rail is configured.</p>
      ) : (
        <NativeSelect
          label="New source"
          data={[{ value: '', label: 'Choose a source' }, ...others.map(asOption)]}
          value={source}
          onChange={(event) => setSource(event.currentTarget.value)}
          error={mistakeOf(set.error, 'source')}
          required
          data-autofocus
        />
      )}
      {source === STATEMENTS && <p>Use statements only for an account that no rail reports.</p>}
      <p>
        The new source gives value from then on. What it says about a transfer that the old one reported
        before is a report of the credit that exists.
      </p>
      <Approval needsTwo={needsTwo} />
    </ConfirmDialog>
  );
}

function asOption(source: string) {
  return {
    value: source,
    label: source === STATEMENTS ? 'statements (statement files)' : `${source} (rail)`,
  };
}

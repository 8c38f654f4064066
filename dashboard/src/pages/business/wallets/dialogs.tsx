// Setting and removing a default wallet. The service checks the address against the network before it keeps it.
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Network, Wallet } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import type { Mode } from '../../../frame/place.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { beyondFields } from '../form-error.ts';
import { useSetWallet } from './data.ts';

interface SetProps {
  readonly mode: Mode;
  readonly wallet: Wallet | null;
  readonly networks: readonly Network[];
  readonly onClose: () => void;
}

export function SetWallet({ mode, wallet, networks, onClose }: SetProps) {
  const enabled = networks.filter((each) => each.enabled);
  const [network, setNetwork] = useState(wallet?.network ?? enabled[0]?.name ?? '');
  const [address, setAddress] = useState(wallet?.wallet_address ?? '');
  const save = useSetWallet(mode, onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Default wallet in ${mode} mode`}
      confirm="Save wallet"
      busy={save.isPending}
      error={beyondFields(save.error, 'network', 'wallet_address')}
      onConfirm={() => save.mutate({ network, wallet_address: address.trim() })}
    >
      <p>
        {mode === 'live'
          ? 'From now on, tokens of live buys that name no wallet are sent to this address. A payment on a network cannot be taken back: check every character.'
          : 'From now on, test buys that name no wallet are sent to this address.'}
      </p>
      <NativeSelect
        label="Network"
        value={network}
        onChange={(event) => setNetwork(event.currentTarget.value)}
        data={enabled.map(({ name, asset }) => ({
          value: name,
          label: asset === null ? name : `${name} (${asset})`,
        }))}
        error={mistakeOf(save.error, 'network')}
      />
      <TextInput
        label="Address"
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        error={mistakeOf(save.error, 'wallet_address')}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        autoComplete="off"
        spellCheck={false}
        required
        data-autofocus
      />
    </ConfirmDialog>
  );
}

interface RemoveProps {
  readonly mode: Mode;
  readonly wallet: Wallet;
  readonly onClose: () => void;
}

export function RemoveWallet({ mode, wallet, onClose }: RemoveProps) {
  const save = useSetWallet(mode, onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Remove ${mode} wallet`}
      confirm="Remove wallet"
      danger
      busy={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate(null)}
    >
      <p>
        New {mode} buys that name no wallet wait until one is set. Buys that are under way to{' '}
        {wallet.wallet_address} on {wallet.network} are not changed.
      </p>
    </ConfirmDialog>
  );
}

// Sets and removes a default wallet. The service stores an address only if it is valid for the network.
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { pathTo, put } from '../../../api/calls.ts';
import type { Network, Wallet } from '../../../api/console-types.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { type Mode, useBusinessLocation } from '../../../layout/location.ts';

/** Null removes the wallet. */
function useSetWallet(mode: Mode) {
  const { params } = useBusinessLocation();
  return {
    set: (wallet: Wallet | null) =>
      put('/businesses/{business_id}/default-wallet', { params, body: { mode, ...wallet } }),
    refreshes: [pathTo('/businesses/{business_id}', { params })],
  };
}

interface SetProps {
  readonly mode: Mode;
  readonly wallet: Wallet | null;
  readonly networks: readonly Network[];
  readonly onClose: () => void;
}

export function SetWallet({ mode, wallet, networks, onClose }: SetProps) {
  const enabled = networks.filter((each) => each.enabled);
  const form = useForm({
    initialValues: {
      network: wallet?.network ?? enabled[0]?.name ?? '',
      wallet_address: wallet?.wallet_address ?? '',
    },
  });
  const { network, wallet_address: address } = form.values;
  const { set, refreshes } = useSetWallet(mode);
  return (
    <FormDialog
      onClose={onClose}
      title={`Default wallet in ${mode} mode`}
      confirm="Save wallet"
      form={form}
      errorFields={['network', 'wallet_address']}
      run={() => set({ network, wallet_address: address.trim() })}
      refreshes={refreshes}
      done="Default wallet saved."
    >
      <p>
        {mode === 'live'
          ? 'Tokens of live buys without a wallet will be sent to this address. Network transfers cannot be reversed: check every character.'
          : 'Tokens of test buys without a wallet will be sent to this address.'}
      </p>
      <NativeSelect
        {...form.getInputProps('network')}
        label="Network"
        data={enabled.map(({ name, asset }) => ({
          value: name,
          label: asset === null ? name : `${name} (${asset})`,
        }))}
      />
      <TextInput
        {...form.getInputProps('wallet_address')}
        label="Address"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        autoComplete="off"
        spellCheck={false}
        required
        data-autofocus
      />
    </FormDialog>
  );
}

interface RemoveProps {
  readonly mode: Mode;
  readonly wallet: Wallet;
  readonly onClose: () => void;
}

export function RemoveWallet({ mode, wallet, onClose }: RemoveProps) {
  const { set, refreshes } = useSetWallet(mode);
  return (
    <FormDialog
      onClose={onClose}
      title={`Remove ${mode} wallet`}
      confirm="Remove wallet"
      danger
      run={() => set(null)}
      refreshes={refreshes}
      done="Default wallet removed."
    >
      <p>
        New {mode} buys without a wallet wait until you set one. Buys in progress to {wallet.wallet_address}{' '}
        on {wallet.network} are not affected.
      </p>
    </FormDialog>
  );
}

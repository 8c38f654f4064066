// The secret keys of one mode as a table. The name and the first characters identify a key. The whole key is never shown again.
import type { Key } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { type Column, DataTable, RowMenu } from '../../../components/data-table.tsx';
import { ago } from '../../../components/format.ts';
import { Empty } from '../../../components/page.tsx';
import { Ago, State, useNow } from '../../../components/values.tsx';
import { useBusinessLocation, useBusinessRole } from '../../../layout/location.ts';
import styles from '../integration.module.css';

interface TableProps {
  readonly rows: readonly Key[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  readonly onDo: ((doing: KeyAction) => void) | undefined;
  readonly create: React.ReactNode;
}

export function KeyTable({ rows, error, retry, onDo, create }: TableProps) {
  const { mode } = useBusinessLocation();
  const nowMs = useNow();
  const columns: Column<Key>[] = [
    { title: 'Name', cell: (key) => <KeyName name={key.name} /> },
    { title: 'Key', from: 'sm', cell: (key) => <KeyHint apiKey={key} /> },
    { title: 'Scope', from: 'md', cell: ({ scope }) => (scope === 'read' ? 'Read only' : 'Full') },
    {
      title: 'Last used',
      cell: ({ last_used_at: at }) => (at === null ? <span className="quiet">Never</span> : <Ago at={at} />),
    },
    { title: 'Created', from: 'lg', cell: (key) => <Ago at={key.created_at} /> },
    { title: 'State', from: 'sm', cell: (key) => <KeyState apiKey={key} nowMs={nowMs} /> },
  ];
  if (onDo !== undefined)
    columns.push({
      title: 'Actions',
      align: 'right',
      width: 64,
      cell: (key) => <Actions apiKey={key} onDo={onDo} />,
    });
  return (
    <DataTable
      caption={`Secret keys in ${mode} mode`}
      columns={columns}
      rows={rows}
      rowKey={({ key_id }) => key_id}
      error={error}
      retry={retry}
      empty={
        <Empty icon="key" title={`No ${mode} keys yet`} action={create}>
          A key lets your server create and read transactions in {mode} mode. Its secret is shown once, on
          creation.
        </Empty>
      }
    />
  );
}

function KeyName({ name }: { readonly name: string }) {
  return (
    <span className={styles.name} title={name}>
      {name === '' ? <span className="quiet">Unnamed</span> : name}
    </span>
  );
}

export function KeyHint({ apiKey: { hint, mode } }: { readonly apiKey: Key }) {
  return (
    <span className={`mono ${styles.key}`} data-mode={mode}>
      {hint}…
    </span>
  );
}

function KeyState({ apiKey, nowMs }: { readonly apiKey: Key; readonly nowMs: number }) {
  const state = stateOf(apiKey, nowMs);
  if (state === 'ending')
    return <State state="active" tone="person" label={`Expires ${ago(apiKey.expires_at!, nowMs)}`} />;
  return state === 'ended' ? <State state="ended" label="Expired" /> : <State state={state} />;
}

function Actions({ apiKey: key, onDo }: { readonly apiKey: Key; readonly onDo: (doing: KeyAction) => void }) {
  const state = stateOf(key, useNow());
  const isInactive = state === 'ended' || state === 'revoked';
  const rename = { label: 'Rename key', icon: 'edit', run: () => onDo({ kind: 'rename', key }) } as const;
  const roll = { label: 'Roll key', icon: 'refresh', run: () => onDo({ kind: 'roll', key }) } as const;
  const revoke = {
    label: 'Revoke key',
    icon: 'trash',
    danger: true,
    run: () => onDo({ kind: 'revoke', key }),
  } as const;
  return (
    <RowMenu
      label={`Actions for the key ${key.name || key.hint}`}
      actions={isInactive ? [rename] : [rename, roll, revoke]}
    />
  );
}

export type KeyAction =
  | { readonly kind: 'create' }
  | { readonly kind: 'rename' | 'roll' | 'revoke'; readonly key: Key };

type KeyState = 'active' | 'ending' | 'ended' | 'revoked';

export function stateOf({ revoked_at, expires_at }: Key, nowMs: number): KeyState {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'active';
  return Date.parse(expires_at) > nowMs ? 'ending' : 'ended';
}

export const KEYS = '/businesses/{business_id}/keys';
const LAST_USE_EVERY_MS = 15_000;

export function useKeys() {
  const { params } = useBusinessLocation();
  return useRead(KEYS, { params, refetchMs: LAST_USE_EVERY_MS });
}

export function useMayManage(): boolean {
  const { mode } = useBusinessLocation();
  const role = useBusinessRole();
  return role === 'owner' || (role === 'developer' && mode === 'test');
}

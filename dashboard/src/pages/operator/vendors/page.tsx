// The vendor accounts that buyers pay into: the credit source of each, the expected payments, and the proposals that wait for a
// second person.
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { Vendor, VendorProposal } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { words } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Empty, Page, Section } from '../../../components/page.tsx';
import { Ago, Money, State, TwoLines } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useMay, useRefreshOnHints } from '../rules.tsx';
import { AddVendor, RenameVendor, SetSource, SwitchVendor, useVendors } from './dialogs.tsx';

type Dialog =
  | { readonly kind: 'rename' | 'switch' | 'source'; readonly vendor: Vendor }
  | { readonly kind: 'add' }
  | null;

export default function VendorsPage() {
  const { mode, base } = useOperatorLocation();
  const { data, error, refetch } = useVendors(mode);
  useRefreshOnHints(['proposals'], '/operator/vendors');
  const [dialog, setDialog] = useState<Dialog>(null);
  const mayPropose = useMay('propose');
  const needsTwo = data?.needs_two ?? true;
  const close = () => setDialog(null);
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog({ kind: 'add' })}>
      Add vendor account
    </Button>
  );
  return (
    <Page
      title="Vendors"
      lead={`Bank accounts that buyers pay into in ${mode} mode. ${needsTwo ? 'Adding, renaming or enabling an account, or changing its source, needs the approval of a second person.' : 'In test mode, changes take effect immediately.'}`}
      actions={mayPropose && add}
    >
      <Section bare>
        <DataTable
          caption="Vendor accounts"
          columns={columnsOf(base, mayPropose ? setDialog : null)}
          rows={data?.vendors}
          rowKey={({ vendor_id: id }) => id}
          error={error}
          retry={() => void refetch()}
          empty={
            <Empty icon="bank" title={`No vendor accounts in ${mode} mode yet`} action={mayPropose && add}>
              A buy needs one: it is the account that the customer pays into.
            </Empty>
          }
        />
      </Section>
      {data !== undefined && data.additions.length > 0 && (
        <Section title="Awaiting approval" bare>
          <DataTable
            caption="Proposed vendor accounts"
            columns={ADDITIONS}
            rows={data.additions}
            rowKey={({ proposal_id: id }) => id}
            rowHref={({ proposal_id: id }) => `${base}/proposals/${id}`}
            empty={null}
          />
        </Section>
      )}
      {dialog?.kind === 'add' && <AddVendor onClose={close} needsTwo={needsTwo} />}
      {dialog?.kind === 'rename' && (
        <RenameVendor vendor={dialog.vendor} onClose={close} needsTwo={needsTwo} />
      )}
      {dialog?.kind === 'switch' && (
        <SwitchVendor vendor={dialog.vendor} onClose={close} needsTwo={needsTwo} />
      )}
      {dialog?.kind === 'source' && (
        <SetSource vendor={dialog.vendor} sources={data?.sources ?? []} onClose={close} needsTwo={needsTwo} />
      )}
    </Page>
  );
}

function columnsOf(base: string, open: ((dialog: Dialog) => void) | null): readonly Column<Vendor>[] {
  return [
    {
      title: 'Account',
      cell: ({ name, number, bank }) => (
        <TwoLines
          main={name}
          below={
            <>
              <span className="mono">{number}</span>, {bank}
            </>
          }
        />
      ),
    },
    { title: 'State', cell: ({ enabled }) => <State state={enabled ? 'enabled' : 'disabled'} /> },
    {
      ...{ title: 'Source', from: 'md' },
      cell: ({ source }) => source ?? <span className="quiet">none yet</span>,
    },
    {
      ...{ title: 'Proposals', from: 'md' },
      cell: ({ proposals }) =>
        proposals.map(({ proposal_id: id, setting, source }) => (
          <TextLink key={id} to={`${base}/proposals/${id}`}>
            {source === null ? words(setting) : `Source: ${source}`}
          </TextLink>
        )),
    },
    {
      title: 'Unpaid buys',
      from: 'sm',
      align: 'right',
      cell: ({ awaited }) => atLeast(awaited, awaited.buys),
    },
    {
      ...{ title: 'Expected amount', from: 'sm', align: 'right' },
      cell: ({ awaited }) => (
        <>
          {awaited.is_more && 'at least '}
          <Money amount={awaited.amount} />
        </>
      ),
    },
    ...(open === null ? [] : [actionsOf(open)]),
  ];
}

function atLeast({ is_more: isMore }: Vendor['awaited'], buys: number): string {
  return isMore ? `at least ${buys}` : String(buys);
}

function actionsOf(open: (dialog: Dialog) => void): Column<Vendor> {
  return {
    ...{ title: 'Actions', align: 'right' },
    cell: (vendor) => (
      <Group component="span" display="inline-flex" gap={4} justify="flex-end">
        <Button size="compact-xs" variant="default" onClick={() => open({ kind: 'rename', vendor })}>
          Rename<span className="only-screen-reader"> {vendor.name}</span>
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => open({ kind: 'source', vendor })}>
          Source<span className="only-screen-reader"> of {vendor.name}</span>
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => open({ kind: 'switch', vendor })}>
          {vendor.enabled ? 'Disable' : 'Enable'}
          <span className="only-screen-reader"> {vendor.name}</span>
        </Button>
      </Group>
    ),
  };
}

const ADDITIONS: readonly Column<VendorProposal>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Number', cell: ({ number }) => <span className="mono">{number}</span> },
  { title: 'Bank', from: 'sm', cell: ({ bank }) => bank },
  { title: 'Proposed', from: 'sm', cell: ({ proposed_at: at }) => <Ago at={at} /> },
];

// The open cases about one statement file as one line, and the proposal to close them together.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { CaseGroup } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { FormDialog } from '../../../components/dialogs.tsx';
import { counted, naira } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Failure, Loading, Section } from '../../../components/page.tsx';
import { Ago, BankAccount, Money, TwoLines } from '../../../components/values.tsx';
import type { Mode } from '../../../layout/location.ts';
import { PreviewPart, usePreview } from '../decisions/preview.tsx';
import { useMay } from '../rules.tsx';

export function useCaseGroups(mode: Mode) {
  return useRead('/operator/case-groups', { query: { mode } });
}

interface Props {
  readonly groups: readonly CaseGroup[];
  readonly base: string;
}

export function CaseGroups({ groups, base }: Props) {
  const mayPropose = useMay('propose');
  const [open, setOpen] = useState<CaseGroup | null>(null);
  return (
    <Section
      title="Reports of statement files"
      lead="Rows of one file that no credit explains. Two people can close the cases of a file together as explained; nothing is booked."
      bare
    >
      <DataTable
        caption="Reports of statement files"
        columns={columnsOf(base, mayPropose ? setOpen : null)}
        rows={groups}
        rowKey={({ file_id: id }) => id}
        empty={null}
      />
      {open !== null && <CloseDialog group={open} onClose={() => setOpen(null)} />}
    </Section>
  );
}

function columnsOf(base: string, choose: ((group: CaseGroup) => void) | null): readonly Column<CaseGroup>[] {
  return [
    {
      title: 'File',
      cell: ({ file_id: id, name, account }) => (
        <TwoLines
          main={<TextLink to={`${base}/statements/${id}`}>{name ?? id}</TextLink>}
          below={account === null ? null : <BankAccount account={account} />}
        />
      ),
    },
    {
      title: 'Cases',
      align: 'right',
      cell: ({ file_id: id, cases }) => (
        <TextLink to={`${base}/cases?file=${id}`}>{counted(cases, 'case')}</TextLink>
      ),
    },
    { title: 'Total', align: 'right', cell: ({ amount }) => <Money amount={amount} /> },
    { title: 'Opened', align: 'right', from: 'sm', cell: ({ opened_at: at }) => <Ago at={at} /> },
    {
      title: 'Decision',
      align: 'right',
      cell: (group) =>
        group.proposal_id !== null ? (
          <TextLink to={`${base}/proposals/${group.proposal_id}`}>Open proposal</TextLink>
        ) : (
          choose !== null && (
            <Button size="xs" variant="default" onClick={() => choose(group)}>
              Close all
            </Button>
          )
        ),
    },
  ];
}

function CloseDialog({ group, onClose }: { readonly group: CaseGroup; readonly onClose: () => void }) {
  const { data, error, refetch } = useRead('/operator/case-groups/{file_id}', {
    params: { file_id: group.file_id },
  });
  const body = data && {
    ...{ action: 'explained_all' as const, subject_id: group.file_id },
    ...{ cases: data.cases, digest: data.digest },
  };
  const preview = usePreview(body ?? null, (given) => post('/operator/reviews/preview', { body: given }));
  const title =
    data === undefined
      ? 'Close cases as explained'
      : `Close ${counted(data.cases, 'case')} (${naira(data.amount)}) as explained`;
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      confirm={`Propose to ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
      size="lg"
      disabled={!preview.isCurrent}
      run={async () => body && post('/operator/proposals/reviews', { body })}
      refreshes={['/operator']}
      done="Proposed. Another person must approve it."
    >
      {error !== null && <Failure error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && <Loading lines={3} label="Loading cases" />}
      {data !== undefined && data.cases < group.cases && (
        <p>One proposal closes the oldest {counted(data.cases, 'case')}. Repeat it for the others.</p>
      )}
      <p>The proposal holds for exactly these cases: if one more or fewer is open, it no longer applies.</p>
      {data !== undefined && <PreviewPart title="Effect once approved" of={preview} />}
    </FormDialog>
  );
}

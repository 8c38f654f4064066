// One statement file: its facts, its unreadable rows, and the current state of the days that it covers.

import { Button } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { StatementFile } from '../../../api/console-types.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FormDialog } from '../../../components/dialogs.tsx';
import { Empty, Facts, Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { Day, Money, State, Time } from '../../../components/values.tsx';
import { useOperatorLocation, useParam } from '../../../layout/location.ts';
import { ApprovalHint, doneOrProposed, useMay } from '../rules.tsx';
import { useStatement } from '../statements/data.ts';
import { DAYS, dayKey, ProblemTable } from '../statements/tables.tsx';

export default function StatementPage() {
  const { mode, base } = useOperatorLocation();
  const fileId = useParam('fileId');
  const { data, error, refetch } = useStatement(mode, fileId);
  const back = { to: `${base}/statements`, label: 'Statements' };
  if (data === undefined)
    return (
      <Page title="Statement file" back={back}>
        {error ? <Failure error={error} retry={() => void refetch()} /> : <Loading />}
      </Page>
    );
  const { file, problems, days } = data;
  return (
    <Page title={file.name} back={back}>
      {file.awaits_confirmation && <Confirmation file={file} />}
      <Section title="File">
        <Facts
          facts={[
            { label: 'State', value: <State state={file.state} /> },
            { label: 'Account', value: <span className="mono">{file.account}</span> },
            { label: 'Imported', value: <Time at={file.started_at} /> },
            { label: 'Imported by', value: file.imported_by },
            { label: 'Format', value: `${file.format}, profile ${file.profile}` },
            {
              label: 'Rows',
              value: `${file.rows_read} read, ${file.rows_new} new, ${file.rows_known} known`,
            },
            file.money_in !== null && { label: 'Money in', value: <Money amount={file.money_in} /> },
            file.money_out !== null && { label: 'Money out', value: <Money amount={file.money_out} /> },
          ]}
        />
      </Section>
      {problems.length > 0 && (
        <Section title="Unreadable rows" bare>
          <ProblemTable problems={problems} count={file.problem_count} />
        </Section>
      )}
      <Section title="Days" bare>
        <DataTable
          caption="Days"
          columns={DAYS}
          rows={days}
          rowKey={dayKey}
          empty={<Empty title="No days in this file" />}
        />
      </Section>
    </Page>
  );
}

/** The column profile was never compared with a file of the bank, so people compare the totals before it is used. */
function Confirmation({ file }: { readonly file: StatementFile }) {
  const mayPropose = useMay('propose');
  const [isOpen, setOpen] = useState(false);
  const needsTwo = file.mode === 'live';
  const title = needsTwo ? 'Propose to confirm totals' : 'Confirm totals';
  return (
    <Section title="Nothing was imported yet">
      <Notice tone="person">
        The column profile “{file.profile}” is unverified. Compare the totals below with the account at the
        bank. When they are confirmed, import the file again.
      </Notice>
      {mayPropose && (
        <div>
          <Button onClick={() => setOpen(true)}>{title}</Button>
        </div>
      )}
      {isOpen && (
        <FormDialog
          title={title}
          onClose={() => setOpen(false)}
          refreshes={['/operator/statements', '/operator/proposals']}
          done={doneOrProposed('Confirmed. Import the file again.')}
          run={() =>
            post('/operator/statements/{mode}/{file_id}/confirm', {
              params: { mode: file.mode, file_id: file.file_id },
            })
          }
        >
          <p>The account at the bank shows the same totals for these days:</p>
          <Facts
            facts={[
              { label: 'Rows', value: String(file.rows_read) },
              { label: 'Money in', value: file.money_in !== null && <Money amount={file.money_in} /> },
              { label: 'Money out', value: file.money_out !== null && <Money amount={file.money_out} /> },
              { label: 'From', value: file.from_day !== null && <Day day={file.from_day} /> },
              { label: 'To', value: file.to_day !== null && <Day day={file.to_day} /> },
            ]}
          />
          <ApprovalHint needsTwo={needsTwo} />
        </FormDialog>
      )}
    </Section>
  );
}

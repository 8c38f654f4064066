// One statement file: its facts, its unreadable rows, and the current state of the days it covers.

import { DataTable } from '../../../components/data-table.tsx';
import { Empty, Facts, Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { State, Time } from '../../../components/values.tsx';
import { useOperatorLocation, useParam } from '../../../layout/location.ts';
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

// The check that the audit log is unaltered. The page checks the newest entries immediately, and checks all entries on demand.

import { Button, Progress } from '@mantine/core';
import { GuideLink } from '../../../components/link.tsx';
import { Facts, Failure, Loading, Notice, Section } from '../../../components/page.tsx';
import { Id, State } from '../../../components/values.tsx';
import { useAuditState, useVerification, type Verification } from './data.ts';

export function Chain() {
  const { data, error, refetch } = useAuditState();
  const { progress, run, running, error: failed } = useVerification();
  return (
    <Section
      title="Integrity"
      lead="Every entry holds the hash of the one before it: an altered or removed entry breaks the chain."
      actions={
        <Button onClick={run} loading={running}>
          Verify all entries
        </Button>
      }
    >
      <div className="column">
        {data === undefined && error === null && <Loading lines={3} label="Loading integrity" />}
        {data === undefined && error !== null && <Failure error={error} retry={() => void refetch()} />}
        {data !== undefined && (
          <Facts
            facts={[
              {
                label: 'State',
                value:
                  data.problem === null ? (
                    <>
                      <State state="intact" tone="completed" />{' '}
                      <span className="quiet">
                        entries {data.verified_from.toLocaleString('en')} to{' '}
                        {data.head.no.toLocaleString('en')} verified just now
                      </span>
                    </>
                  ) : (
                    <State state="broken" tone="failed" label={`Broken: ${data.problem}`} />
                  ),
              },
              { label: 'Last entry', value: data.head.no.toLocaleString('en') },
              { label: 'Hash of last entry', value: <Id value={data.head.hash} label="hash" keep={12} /> },
            ]}
          />
        )}
        {progress !== null && <Result {...progress} />}
        {failed !== null && <Failure error={failed} meaning="The verification did not finish." />}
      </div>
    </Section>
  );
}

function Result({ verified, of, problem, done }: Verification) {
  const all = of.toLocaleString('en');
  return (
    <div aria-live="polite" className="column flush">
      <Progress
        value={of === 0 ? 100 : Math.min(100, (100 * verified) / of)}
        color={problem === null ? 'road' : 'red'}
        aria-label="Verified entries"
      />
      {!done && (
        <p className="quiet">
          Verified {verified.toLocaleString('en')} of {all} entries
        </p>
      )}
      {done && problem === null && (
        <Notice tone="completed">
          All {all} entries are intact. To compare their digests with the timeline, run{' '}
          <code className="mono">bin/sliproad audit verify</code>
        </Notice>
      )}
      {problem !== null && (
        <Notice tone="failed">
          The log was altered: {problem}. Pause all movements and keep a backup before you do anything else.
          <GuideLink page="operate/audit">The guide</GuideLink> says what comes next.
        </Notice>
      )}
    </div>
  );
}

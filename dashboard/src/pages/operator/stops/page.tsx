// Shows whether money is moving, and lists all stops. One person can stop money immediately. Two people must resume it.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { Time } from '../../../components/values.tsx';
import styles from '../operator.module.css';
import { useMay, useRefreshOnHints } from '../rules.tsx';
import { PauseDialog, ResumeDialog, STOPS, useHistory, useMovements } from './dialogs.tsx';
import { Freezes, Halts, History } from './lists.tsx';

export default function StopsPage() {
  useRefreshOnHints(['stops'], ...STOPS);
  return (
    <Page title="Stops" lead="One person can stop money immediately. Resuming needs two.">
      <Switch />
      <Halts />
      <Freezes />
      <History />
    </Page>
  );
}

function Switch() {
  const { data, error, refetch } = useMovements();
  const [dialog, setDialog] = useState<'pause' | 'resume' | null>(null);
  const [mayStop, mayPropose] = [useMay('stop'), useMay('propose')];
  const close = () => setDialog(null);
  if (error !== null && data === undefined) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined)
    return (
      <Section>
        <Loading lines={3} label="Loading movement state" />
      </Section>
    );
  const { paused } = data;
  return (
    <section
      className={styles.switch}
      data-tone={paused ? 'failed' : 'completed'}
      aria-labelledby="movements-state"
    >
      <span className={styles.switchIcon}>
        <Icon name={paused ? 'stop' : 'check'} size={24} />
      </span>
      <div className={styles.switchText}>
        <h2 id="movements-state" className={styles.switchState}>
          {paused ? 'All movements are paused' : 'Money is moving'}
        </h2>
        <p>
          {paused
            ? 'No sends, payouts or refunds in either mode. Requests are accepted and queued.'
            : 'Sends, payouts and refunds are running in both modes.'}
        </p>
        <LastChange />
      </div>
      {!paused && mayStop && (
        <Button color="red" onClick={() => setDialog('pause')}>
          Pause all movements
        </Button>
      )}
      {paused && mayPropose && <Button onClick={() => setDialog('resume')}>Propose to resume</Button>}
      {dialog === 'pause' && <PauseDialog onClose={close} />}
      {dialog === 'resume' && <ResumeDialog onClose={close} />}
    </section>
  );
}

function LastChange() {
  const last = useMovements().data?.last;
  const { rows } = useHistory();
  if (last === undefined || last === null) return null;
  const known = rows?.find(({ actor, name }) => actor === last.actor && name !== null)?.name;
  return (
    <p>
      {last.paused ? 'Paused' : 'Resumed'} by {known ?? <span className="mono">{last.actor}</span>},{' '}
      <Time at={last.at} />: {last.reason === '' ? 'no reason was given' : `“${last.reason}”`}
    </p>
  );
}

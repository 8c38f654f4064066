// Shared parts of the pages about second factors: the row of one factor, and the change of a factor. A change needs a recent
// second factor for the person's own id. When the service requires it, the page asks for the second factor and then repeats the
// change.
import { type ReactNode, useState } from 'react';
import { ApiFailure } from '../../../api/failure.ts';
import { showFailure } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { useSignedIn } from '../../../api/session.ts';
import { StepUp } from '../../../components/dialogs.tsx';
import styles from './security.module.css';

interface FactorRowProps {
  readonly title: string;
  readonly state: ReactNode;
  readonly text: string;
  readonly action: ReactNode;
  readonly children?: ReactNode;
}

export function FactorRow({ title, state, text, action, children }: FactorRowProps) {
  return (
    <div>
      <div className={styles.factorHead}>
        <div className={styles.factorWords}>
          <h3>
            {title} {state}
          </h3>
          <p className="quiet">{text}</p>
        </div>
        {action}
      </div>
      {children}
    </div>
  );
}

export const FACTORS = '/second-factors';
export const SESSIONS = '/sessions';

export const useSecondFactors = () => useRead(FACTORS);
export const useSessions = () => useRead(SESSIONS);

interface PendingChange {
  readonly title: string;
  readonly run: () => Promise<unknown>;
}

const STEP_UP_CODES = ['step_up_needed', 'step_up_old', 'step_up_used'];

export function useWithStepUp(): {
  readonly attempt: (title: string, run: () => Promise<unknown>) => Promise<void>;
  readonly busy: boolean;
  readonly dialog: ReactNode;
} {
  const { person } = useSignedIn();
  const [wanted, setWanted] = useState<PendingChange | null>(null);
  const [busy, setBusy] = useState(false);
  const attempt = async (title: string, run: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await run();
    } catch (error) {
      if (error instanceof ApiFailure && STEP_UP_CODES.includes(error.code)) setWanted({ title, run });
      else showFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const passed = () => {
    setWanted(null);
    if (wanted !== null) void attempt(wanted.title, wanted.run);
  };
  const dialog = (
    <StepUp
      opened={wanted !== null}
      onClose={() => setWanted(null)}
      subjectId={person.person_id}
      title={wanted?.title ?? ''}
      onPassed={passed}
    >
      <p>This change affects who can sign in as you. Confirm it with a second factor.</p>
    </StepUp>
  );
  return { attempt, busy, dialog };
}

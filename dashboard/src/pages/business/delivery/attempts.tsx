// The attempts of a delivery, newest first: when, how long, and what was answered. The answer is text from outside and is shown as
// text.
import type { DeliveryAttempt, DeliveryDetail } from '../../../api/console-types.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { words } from '../../../components/format.ts';
import { Empty } from '../../../components/page.tsx';
import { State, Time } from '../../../components/values.tsx';
import styles from '../integration.module.css';

const PROBLEMS: Readonly<Record<string, string>> = {
  address_refused: 'The address is not public, so nothing was sent.',
  timeout: 'There was no complete answer within 15 seconds.',
  connection: 'No connection could be made, or it was cut.',
  tls: 'The certificate of the endpoint was not accepted.',
  dns: 'The name of the endpoint has no address.',
  answer_too_large: 'The answer was too large.',
  protocol: 'The answer was not valid HTTP.',
  keys_unreadable: 'The keys of the endpoint cannot be read here. Ask the operator.',
};

export function Attempts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { attempts, next_attempt_at } = delivery;
  if (attempts.length === 0)
    return (
      <Empty icon="webhook" title="Not tried yet">
        The first attempt is made in a moment
        {next_attempt_at !== null && (
          <>
            , at <Time at={next_attempt_at} />
          </>
        )}
        .
      </Empty>
    );
  return (
    <ol className="lines">
      {attempts.toReversed().map((attempt, index) => (
        <One key={attempt.no} attempt={attempt} open={index === 0} />
      ))}
    </ol>
  );
}

function One({ attempt, open }: { readonly attempt: DeliveryAttempt; readonly open: boolean }) {
  const { no, at, duration_ms, status, outcome, error, answer } = attempt;
  const succeeded = outcome === 'succeeded';
  const label = status === null ? words(outcome) : `${status}${succeeded ? '' : ', no success'}`;
  return (
    <li className={styles.attempt}>
      <div className="row" data-gap="small">
        <strong>Attempt {no}</strong>
        <State state={outcome} tone={succeeded ? 'completed' : 'failed'} label={label} />
        <Time at={at} />
        <span className="quiet tabular">{duration_ms.toLocaleString('en-GB')} ms</span>
      </div>
      {PROBLEMS[outcome] !== undefined && (
        <p>
          {PROBLEMS[outcome]} {error !== null && <span className="quiet">{error}</span>}
        </p>
      )}
      {answer !== null && answer !== '' && (
        <details open={open}>
          <summary>Answer of the endpoint</summary>
          <CodeBlock code={answer} label="answer" />
        </details>
      )}
    </li>
  );
}

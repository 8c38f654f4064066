// The attempts of a webhook delivery, newest first, with time, duration and response. The response comes from outside, so it is
// shown as plain text.
import type { DeliveryAttempt, DeliveryDetail } from '../../../api/console-types.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { words } from '../../../components/format.ts';
import { Empty } from '../../../components/page.tsx';
import { State, Time } from '../../../components/values.tsx';
import styles from '../integration.module.css';

const PROBLEMS: Readonly<Record<string, string>> = {
  address_refused: 'The address is not public; nothing was sent.',
  timeout: 'No complete response within 15 seconds.',
  connection: 'The connection failed or was interrupted.',
  tls: 'The endpoint’s TLS certificate is not valid.',
  dns: 'The endpoint’s host name does not resolve.',
  answer_too_large: 'The response was too large.',
  protocol: 'The response was not valid HTTP.',
  keys_unreadable: 'The endpoint’s signing keys cannot be read. Contact the operator.',
};

export function Attempts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { attempts, next_attempt_at } = delivery;
  if (attempts.length === 0)
    return (
      <Empty icon="webhook" title="No attempts yet">
        The first attempt follows shortly
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
        <AttemptItem key={attempt.no} attempt={attempt} open={index === 0} />
      ))}
    </ol>
  );
}

function AttemptItem({ attempt, open }: { readonly attempt: DeliveryAttempt; readonly open: boolean }) {
  const { no, at, duration_ms, status, outcome, error, answer } = attempt;
  const succeeded = outcome === 'succeeded';
  const label = status === null ? words(outcome) : `${succeeded ? '' : 'Failed: '}HTTP ${status}`;
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
          <summary>Endpoint response</summary>
          <CodeBlock code={answer} label="response" />
        </details>
      )}
    </li>
  );
}

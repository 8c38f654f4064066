// The timeline of a transaction. A person can show and hide the evidence of each step.
import { Fragment } from 'react';
import type { TimelineLine } from '../../../api/console-types.ts';
import { lagosTime } from '../../../components/format.ts';
import { Failure, Loading, Section } from '../../../components/page.tsx';
import { Id, State } from '../../../components/values.tsx';
import { type TransactionParams, useTimeline } from './data.ts';
import styles from './transaction.module.css';
import { actorWords, elapsedText, evidenceOf } from './words.ts';

export function Timeline({ of }: { readonly of: TransactionParams }) {
  const { data, error, refetch } = useTimeline(of);
  return (
    <Section title="Timeline">
      {data !== undefined ? (
        <ol className={styles.timeline}>
          {data.timeline.map((line, index) => (
            <Step
              key={`${line.at} ${line.to} ${line.reason}`}
              line={line}
              before={data.timeline[index - 1]}
            />
          ))}
        </ol>
      ) : error !== null ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Loading lines={6} label="Loading timeline" />
      )}
    </Section>
  );
}

function Step({ line, before }: { readonly line: TimelineLine; readonly before: TimelineLine | undefined }) {
  const evidence = evidenceOf(line.evidence);
  const after = elapsedText(before?.at, line.at);
  return (
    <li className={styles.step}>
      <div className={styles.stepHead}>
        <State state={line.to} />
        <span className={styles.when}>
          <time dateTime={line.at} className="tabular">
            {lagosTime(line.at)}
          </time>
          {after !== null && ` · ${after}`}
        </span>
      </div>
      <p className={styles.message}>
        {line.message} <span className="quiet">{actorWords(line.actor)}</span>
      </p>
      {evidence.length > 0 && (
        <details className={styles.evidence}>
          <summary>Evidence</summary>
          <dl>
            {evidence.map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>
                  <Id value={value} label={name.toLowerCase()} keep={10} />
                </dd>
              </Fragment>
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}

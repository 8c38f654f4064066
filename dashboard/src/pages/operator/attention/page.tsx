// The first page of the operator: what needs a person in this mode, the worst first, each line a link to where it is decided.
import type { AttentionLine } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import type { Tone } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { AppLink } from '../../../components/link.tsx';
import { Empty, Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { Ago, Money, State } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useChanges } from '../rules.tsx';
import styles from './attention.module.css';

const SHOWN: Readonly<Record<AttentionLine['severity'], { readonly tone: Tone; readonly label: string }>> = {
  critical: { tone: 'failed', label: 'Stands still' },
  warning: { tone: 'person', label: 'Needs a person' },
  notice: { tone: 'waiting', label: 'To know' },
};
const MANY = 10_000;

export default function AttentionPage() {
  const { mode, base } = useOperatorLocation();
  const { data, error, refetch } = useRead('/operator/attention', {
    query: { mode },
    everyMs: 30_000,
  });
  useChanges('/operator/attention');
  const lines = data?.attention;
  return (
    <Page
      title="Attention"
      lead={lines === undefined ? 'What needs a person, the worst first.' : leadOf(lines)}
    >
      <Section bare>
        {error !== null && lines === undefined && <Failure error={error} retry={() => void refetch()} />}
        {error === null && lines === undefined && (
          <div className={styles.list}>
            <div className={styles.line}>
              <Loading lines={5} label="Loading what needs attention" />
            </div>
          </div>
        )}
        {lines?.length === 0 && (
          <div className={styles.list}>
            <Empty icon="check" title="Nothing needs you in this mode">
              Holds, credits in review, stuck money, sick providers and low treasuries appear here as they
              happen.
            </Empty>
          </div>
        )}
        {lines !== undefined && lines.length > 0 && (
          <ul className={styles.list}>
            {lines.map((line) => (
              <li key={`${line.kind} ${line.title}`}>
                <LineLink line={line} base={base} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </Page>
  );
}

function LineLink({ line, base }: { readonly line: AttentionLine; readonly base: string }) {
  const { severity, title, what, count, since, amount, page, tab } = line;
  const { tone, label } = SHOWN[severity];
  const to = `${base}/${page}${tab === null ? '' : `?tab=${tab}`}`;
  return (
    <AppLink to={to} className={styles.line} data-severity={severity}>
      <span className={styles.state}>
        <State state={severity} tone={tone} label={label} />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>
          {title}
          {count !== null && <span className={styles.count}>{count >= MANY ? `${MANY}+` : count}</span>}
        </span>
        <span className={styles.what}>{what}</span>
      </span>
      <span className={styles.facts}>
        {amount !== null && amount !== '0.00' && <Money amount={amount} />}
        {since !== null && (
          <span className="quiet">
            oldest <Ago at={since} />
          </span>
        )}
      </span>
      <Icon name="chevron" size={16} />
    </AppLink>
  );
}

function leadOf(lines: readonly AttentionLine[]): string {
  const still = lines.filter(({ severity }) => severity === 'critical').length;
  const waiting = lines.filter(({ severity }) => severity === 'warning').length;
  if (still === 0 && waiting === 0) return 'Money moves, and nothing waits for a decision.';
  const parts = [
    still > 0 && `${still} ${still === 1 ? 'stop holds' : 'stops hold'} money`,
    waiting > 0 && `${waiting} ${waiting === 1 ? 'matter waits' : 'matters wait'} for a decision`,
  ].filter((part) => part !== false);
  return `${parts.join(', ')}. The worst first.`;
}

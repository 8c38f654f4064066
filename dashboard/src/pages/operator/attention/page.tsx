// The first page of the operator. It lists everything that needs a decision in this mode, most urgent first. Each item links to
// its page.
import type { AttentionLine } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import type { Tone } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { AppLink } from '../../../components/link.tsx';
import { Empty, Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { Ago, Money, State } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useRefreshOnChanges } from '../rules.tsx';
import styles from './attention.module.css';

const SEVERITIES: Readonly<
  Record<AttentionLine['severity'], { readonly tone: Tone; readonly label: string }>
> = {
  critical: { tone: 'failed', label: 'Blocked' },
  warning: { tone: 'person', label: 'Needs a decision' },
  notice: { tone: 'waiting', label: 'For information' },
};
const MANY = 10_000;

export default function AttentionPage() {
  const { mode, base } = useOperatorLocation();
  const { data, error, refetch } = useRead('/operator/attention', {
    query: { mode },
    refetchMs: 30_000,
  });
  useRefreshOnChanges('/operator/attention');
  const lines = data?.attention;
  return (
    <Page
      title="Attention"
      lead={lines === undefined ? 'Items that need a decision, most urgent first.' : leadOf(lines)}
    >
      <Section bare>
        {error !== null && lines === undefined && <Failure error={error} retry={() => void refetch()} />}
        {error === null && lines === undefined && (
          <div className={styles.list}>
            <div className={styles.line}>
              <Loading lines={5} label="Loading attention items" />
            </div>
          </div>
        )}
        {lines?.length === 0 && (
          <div className={styles.list}>
            <Empty icon="check" title="Nothing needs attention in this mode">
              Holds, credits in review, stuck payments, failing providers and low treasuries appear here.
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
  const { tone, label } = SEVERITIES[severity];
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
  const blocked = lines.filter(({ severity }) => severity === 'critical').length;
  const waiting = lines.filter(({ severity }) => severity === 'warning').length;
  if (blocked === 0 && waiting === 0) return 'Money is moving, and nothing needs a decision.';
  const parts = [
    blocked > 0 && `${blocked} ${blocked === 1 ? 'item blocks' : 'items block'} money`,
    waiting > 0 && `${waiting} ${waiting === 1 ? 'item needs' : 'items need'} a decision`,
  ].filter((part) => part !== false);
  return `${parts.join(', ')}${lines.length === 1 ? '' : ', most urgent first'}.`;
}

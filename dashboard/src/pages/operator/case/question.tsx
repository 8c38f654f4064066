// What a case is about: the report of the bank, the difference with its day, or the deposit of which a part is missing. It also
// tells the person what to do next.
import type { CaseDeposit, CaseDifference, CaseReport, GetCaseAnswer } from '../../../api/console-types.ts';
import { TextLink, WithCommands } from '../../../components/link.tsx';
import { Facts, Section } from '../../../components/page.tsx';
import { Money, Time } from '../../../components/values.tsx';

type QuestionProps = Pick<GetCaseAnswer, 'report' | 'difference' | 'deposit'> & { readonly base: string };

export function Question({ report, difference, deposit, base }: QuestionProps) {
  return (
    <>
      {report !== null && (
        <Section title="Bank report">
          <ReportFacts report={report} />
        </Section>
      )}
      {difference !== null && (
        <Section title="Difference">
          <DifferenceFacts difference={difference} base={base} />
        </Section>
      )}
      {deposit !== null && (
        <Section title="Deposit">
          <DepositFacts deposit={deposit} base={base} />
        </Section>
      )}
    </>
  );
}

function ReportFacts({ report }: { readonly report: CaseReport }) {
  const mono = (text: string | null) => text !== null && <span className="mono">{text}</span>;
  return (
    <Facts
      facts={[
        { label: 'Amount', value: <Money amount={report.amount} /> },
        { label: 'Payer', value: report.payer_name },
        { label: 'Payer’s account', value: mono(report.payer_account) || null },
        { label: 'Payer’s bank', value: report.payer_bank },
        { label: 'Narration', value: report.narration },
        { label: 'Session id', value: mono(report.session_id) || null },
        { label: 'Paid to', value: mono(report.account_number) },
        report.balance !== null && { label: 'Balance after', value: <Money amount={report.balance} /> },
        { label: 'Value date', value: <Time at={report.value_at} /> },
        { label: 'Reported by', value: report.source },
        { label: 'Received', value: <Time at={report.received_at} /> },
      ]}
    />
  );
}

interface DepositProps {
  readonly deposit: CaseDeposit;
  readonly base: string;
}

function DepositFacts({ deposit, base }: DepositProps) {
  const { id, network, asset, tx_hash: hash, address, sender, said, missing, next } = deposit;
  const mono = (text: string) => <span className="mono">{text}</span>;
  return (
    <Facts
      facts={[
        { label: 'Amount in the token’s records', value: said === null ? null : `${said} ${asset}` },
        { label: 'Shortfall', value: <Money amount={missing} /> },
        { label: 'Network', value: network },
        { label: 'Address', value: mono(address) },
        { label: 'Network transaction', value: mono(hash) },
        sender !== null && { label: 'Sender', value: mono(sender) },
        { label: 'Next step', value: next },
        { label: 'Deposit', value: <TextLink to={`${base}/review/${id}`}>Open deposit</TextLink> },
      ]}
    />
  );
}

interface DifferenceProps {
  readonly difference: CaseDifference;
  readonly base: string;
}

function DifferenceFacts({ difference, base }: DifferenceProps) {
  const { account, day, what, next, amount, narration } = difference;
  return (
    <Facts
      facts={[
        { label: 'Description', value: what },
        narration !== null && { label: 'Narration', value: narration },
        { label: 'Books minus bank', value: <Money amount={amount} /> },
        next !== null && { label: 'Next step', value: <WithCommands text={next} /> },
        {
          label: 'Day',
          value: <TextLink to={`${base}/reconciliation/${account}/${day}`}>Open reconciled day</TextLink>,
        },
      ]}
    />
  );
}

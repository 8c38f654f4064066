// Asks before an import into an account without a credit source: the new rows, their totals, and what will happen to them.
import { ConfirmDialog } from '../../../components/dialogs.tsx';
import { counted } from '../../../components/format.ts';
import { Facts } from '../../../components/page.tsx';
import { BankAccount, Money } from '../../../components/values.tsx';
import type { AccountQuestion } from './data.ts';

interface Props {
  readonly questions: readonly AccountQuestion[];
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

export function QuestionDialog({ questions, onClose, onConfirm }: Props) {
  const incomingRows = questions.reduce((sum, { question }) => sum + question.incoming_rows, 0);
  const isOne = questions.length === 1;
  return (
    <ConfirmDialog
      title="Import without a credit source?"
      confirm={`Import ${counted(incomingRows, 'incoming row')} as reports`}
      danger
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>
        {isOne
          ? 'This account has no credit source, so nothing was imported yet.'
          : 'These accounts have no credit source, so nothing of them was imported yet.'}{' '}
        No incoming row would pay for a buy: each becomes a report, and each report that matches no credit
        becomes a case for two people.
      </p>
      {questions.map(({ account, question }) => (
        <Facts
          key={account}
          facts={[
            { label: 'Account', value: <BankAccount account={account} /> },
            {
              label: 'New incoming',
              value: (
                <>
                  {counted(question.incoming_rows, 'row')}, <Money amount={question.incoming} />
                </>
              ),
            },
            {
              label: 'New outgoing',
              value: (
                <>
                  {counted(question.outgoing_rows, 'row')}, <Money amount={question.outgoing} />
                </>
              ),
            },
          ]}
        />
      ))}
      <p>
        If these rows should pay for buys, cancel and set the source of{' '}
        {isOne ? 'the account' : 'the accounts'} on the page Vendors first.
      </p>
    </ConfirmDialog>
  );
}

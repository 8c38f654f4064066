// Asks before an import into an account without a credit source: the new rows, their totals, and what will happen to them.
import type { ImportQuestion } from '../../../api/console-types.ts';
import { ConfirmDialog } from '../../../components/dialogs.tsx';
import { counted } from '../../../components/format.ts';
import { Facts } from '../../../components/page.tsx';
import { Money } from '../../../components/values.tsx';

interface Props {
  readonly question: ImportQuestion;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

export function QuestionDialog({ question, onClose, onConfirm }: Props) {
  const { incoming_rows: incomingRows, outgoing_rows: outgoingRows } = question;
  return (
    <ConfirmDialog
      title="Import without a credit source?"
      confirm={`Import ${counted(incomingRows, 'incoming row')} as reports`}
      danger
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>
        This account has no credit source, so nothing was imported yet. No incoming row would pay for a buy:
        each becomes a report, and each report that matches no credit becomes a case for two people.
      </p>
      <Facts
        facts={[
          {
            label: 'New incoming',
            value: (
              <>
                {counted(incomingRows, 'row')}, <Money amount={question.incoming} />
              </>
            ),
          },
          {
            label: 'New outgoing',
            value: (
              <>
                {counted(outgoingRows, 'row')}, <Money amount={question.outgoing} />
              </>
            ),
          },
        ]}
      />
      <p>
        If these rows should pay for buys, cancel and set the source of the account on the page Vendors first.
      </p>
    </ConfirmDialog>
  );
}

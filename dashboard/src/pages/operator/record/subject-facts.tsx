// The fields of a record in the order in which a reviewer reads them. The fields depend on the kind of the record.
import type { ReactNode } from 'react';
import type { Subject } from '../../../api/console-types.ts';
import { words } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { type Fact, Facts } from '../../../components/page.tsx';
import { Id, Money, Time, TokenAmount } from '../../../components/values.tsx';
import { fieldOf, type SubjectField, tokenOf } from '../decisions/labels.ts';

interface SubjectProps {
  readonly subject: Subject;
  readonly base: string;
}

type Shows = 'text' | 'code' | 'naira' | 'id' | 'record' | 'business' | 'time';

const FIELDS: readonly (readonly [SubjectField, string, Shows])[] = [
  ['payer_name', 'Payer', 'text'],
  ['payer_account', 'Payer’s account', 'code'],
  ['payer_bank', 'Payer’s bank', 'text'],
  ['narration', 'Narration', 'text'],
  ['business_id', 'Business', 'business'],
  ['reference', 'Reference', 'code'],
  ['account_name', 'Account name', 'text'],
  ['account_number', 'Account', 'code'],
  ['bank', 'Bank', 'text'],
  ['received', 'Received', 'naira'],
  ['refunded', 'Refunded', 'naira'],
  ['fee', 'Fee', 'naira'],
  ['naira', 'Value', 'naira'],
  ['network', 'Network', 'text'],
  ['wallet_network', 'Wallet network', 'text'],
  ['wallet_address', 'Wallet', 'id'],
  ['address', 'Deposit address', 'id'],
  ['memo', 'Memo', 'code'],
  ['sender', 'Sender', 'id'],
  ['destination', 'Destination', 'text'],
  ['about', 'Subject', 'code'],
  ['tx_hash', 'Hash', 'id'],
  ['session_id', 'Session id', 'code'],
  ['source', 'Reported by', 'text'],
  ['source_id', 'Bank’s reference', 'id'],
  ['transaction_id', 'Transaction', 'record'],
  ['credit_id', 'Bank credit', 'record'],
  ['deposit_id', 'Deposit', 'record'],
  ['parent_id', 'Part of', 'record'],
  ['created_at', 'Created', 'time'],
  ['expires_at', 'Expires', 'time'],
  ['value_at', 'Value date', 'time'],
  ['since', 'Last change', 'time'],
];

const OF_CREDIT: Readonly<Partial<Record<SubjectField, string>>> = {
  account_number: 'Paid to',
  since: 'Received',
};

export function SubjectFacts({ subject, base }: SubjectProps) {
  const facts: Fact[] = [
    { label: 'Amount', value: <SubjectAmount subject={subject} /> },
    ...FIELDS.flatMap(([field, label, shows]) => {
      const value = fieldOf(subject, field);
      if (typeof value !== 'string' || value === '') return [];
      const named = subject.kind === 'credit' ? (OF_CREDIT[field] ?? label) : label;
      return [{ label: named, value: shown(shows, value, subject, base) }];
    }),
    ...(subject.kind === 'movement' && subject.network === null
      ? [
          {
            label: 'Attempts',
            value: <TextLink to={`${base}/payouts/${subject.id}`}>Open attempts</TextLink>,
          },
        ]
      : []),
    { label: 'Exception', value: subject.exception === null ? '—' : words(subject.exception) },
    { label: 'Id', value: <Id value={subject.id} label="record id" /> },
  ];
  return <Facts facts={facts} />;
}

export function SubjectAmount({ subject }: { readonly subject: Subject }) {
  const { amount } = subject;
  const asset = tokenOf(subject);
  if (amount === null) return <span className="quiet">unknown</span>;
  return asset === null ? <Money amount={amount} /> : <TokenAmount amount={amount} asset={asset} />;
}

function shown(how: Shows, value: string, subject: Subject, base: string): ReactNode {
  switch (how) {
    case 'naira':
      return <Money amount={value} />;
    case 'time':
      return <Time at={value} />;
    case 'id':
      return <Id value={value} />;
    case 'code':
      return <span className="mono">{value}</span>;
    case 'record':
      return <TextLink to={`${base}/review/${value}`}>Open {value.slice(0, 12)}…</TextLink>;
    case 'business': {
      const name = fieldOf(subject, 'business_name');
      return (
        <TextLink to={`${base}/businesses/${value}`}>{typeof name === 'string' ? name : value}</TextLink>
      );
    }
    case 'text':
      return value;
  }
}

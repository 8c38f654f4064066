// Reports of sources that do not give value: those that a change moves on, and those that it adds.
import { json, type Kind, kind, text, time } from './kind.ts';

export const REPORTS: readonly Kind[] = [
  kind({
    name: 'report',
    fence: { table: 'credit_reports', key: 'id' },
    itemsOf: (change) => change.reports,
    columns: [
      ['id', 'text', (m) => m.after.id],
      ['version', 'int', (m) => String(m.version)],
      ['state', 'text', (m) => m.after.state],
      ['credit_id', 'text', (m) => m.after.creditId],
      ['is_repeat', 'boolean', (m) => text(m.after.isRepeat)],
      ['due_ms', 'float8', (m) => text(m.after.dueAtMs)],
      ['tries', 'int', (m) => text(m.after.tries)],
    ],
    write: [
      `update credit_reports t set state = x.state, credit_id = x.credit_id, is_repeat = x.is_repeat,
        version = x.version + 1, due_at = ${time('due_ms')}, tries = x.tries
      from x where t.id = x.id`,
    ],
  }),
  kind({
    name: 'new_report',
    once: { table: 'credit_reports', by: ['mode', 'source', 'source_id'] },
    itemsOf: (change) => change.newReports,
    columns: [
      ['id', 'text', (r) => r.id],
      ['mode', 'text', (r) => r.mode],
      ['source', 'text', (r) => r.source],
      ['source_id', 'text', (r) => r.sourceId],
      ['account_number', 'text', (r) => r.accountNumber],
      ['account_bank_code', 'text', (r) => r.accountBankCode],
      ['amount_minor', 'bigint', (r) => text(r.amountMinor)],
      ['payer_account', 'text', (r) => r.payerAccount],
      ['payer_name', 'text', (r) => r.payerName],
      ['payer_bank_name', 'text', (r) => r.payerBankName],
      ['payer_bank_code', 'text', (r) => r.payerBankCode],
      ['narration', 'text', (r) => r.narration],
      ['session_id', 'text', (r) => r.sessionId],
      ['balance_minor', 'bigint', (r) => text(r.balanceMinor)],
      ['value_ms', 'float8', (r) => text(r.valueAtMs)],
      ['received_ms', 'float8', (r) => text(r.receivedAtMs)],
      ['raw', 'jsonb', (r) => json(r.raw ?? {})],
      ['business_id', 'text', (r) => r.businessId],
      ['due_ms', 'float8', (r) => text(r.dueAtMs)],
    ],
    write: [
      `insert into credit_reports (id, mode, source, source_id, account_number, account_bank_code, amount_minor,
        payer_account, payer_name, payer_bank_name, payer_bank_code, narration, session_id, balance_minor, value_at,
        received_at, raw, business_id, state, version, due_at)
      select x.id, x.mode, x.source, x.source_id, x.account_number, x.account_bank_code, x.amount_minor, x.payer_account,
        x.payer_name, x.payer_bank_name, x.payer_bank_code, x.narration, x.session_id, x.balance_minor,
        ${time('value_ms')}, ${time('received_ms')}, x.raw, x.business_id, 'waiting', 1, ${time('due_ms')} from x`,
    ],
  }),
];

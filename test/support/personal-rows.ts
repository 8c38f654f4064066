// Rows about one customer in every place of personal data, as SQL.

export const PERSON = { account: '0777777777', name: 'Ngozi Eze' } as const;
const { account: ACCOUNT, name: NAME } = PERSON;

/** For each place, the row that fills it with the person's data. A new place needs a row here. */
export const FILLED_PLACES: Readonly<Record<string, (txn: string, mode: string) => string>> = {
  timeline: (
    txn,
    mode,
  ) => `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, evidence, business_id, mode)
    values ('${txn}', 7, now(), 'paid', 'on_hold', 'x', 'name_mismatch', '{"bank_says": "${NAME}", "movement": "mov_${txn}"}', 'biz_fixture', '${mode}')`,
  account_enquiries: (
    txn,
  ) => `insert into account_enquiries (transaction_id, rail, verdict, score, bank_says, asked_at)
    values ('${txn}', 'r', 'same_name', 100, '${NAME}', now())`,
  movements: (
    txn,
    mode,
  ) => `insert into movements (id, kind, mode, asset, amount_minor, naira_minor, transaction_id, destination, state, version, created_at, updated_at)
    values ('mov_${txn}', 'refund', '${mode}', 'NGN', 1, 1, '${txn}', '{"bankCode": "044", "accountNumber": "${ACCOUNT}", "accountName": "${NAME}"}', 'done', 1, now(), now())`,
  movement_attempts: (
    txn,
    mode,
  ) => `insert into movement_attempts (movement_id, no, mode, rail, reference, state, evidence, at, updated_at)
    values ('mov_${txn}', 1, '${mode}', 'r', 'ref', 'landed', '{"bank_says": "paid to ${NAME}"}', now(), now())`,
  bank_credits: (
    txn,
    mode,
  ) => `insert into bank_credits (id, mode, source, source_id, account_number, amount_minor, payer_account, payer_name, narration, value_at, received_at, raw, state, transaction_id, version)
    values ('crd_${txn}', '${mode}', 'statements', 'k${txn}/1', '9900000078', 1, '${ACCOUNT}', '${NAME}', 'from ${NAME}', '2026-11-01', '2026-11-01', '{"n": "${NAME}"}', 'matched', '${txn}', 1)`,
  credit_reports: (
    txn,
    mode,
  ) => `insert into credit_reports (id, mode, source, source_id, account_number, amount_minor, payer_account, payer_name, value_at, received_at, raw, state, credit_id, version)
    values ('rep_${txn}', '${mode}', 't', '${txn}', '9900000011', 1, '${ACCOUNT}', '${NAME}', '2026-11-01', '2026-11-01', '{}', 'linked', 'crd_${txn}', 1)`,
  bank_notices: (
    txn,
    mode,
  ) => `insert into bank_notices (id, mode, source, source_id, kind, about, amount_minor, received_at, raw, state, version)
    values ('ntc_${txn}', '${mode}', 'statements', 'n${txn}', 'credit_reversed', 'k${txn}/1', 1, '2026-11-01', '{"who": "${NAME}"}', 'done', 1)`,
  quarantine: (_txn, mode) =>
    `insert into quarantine (mode, source, reason, raw, at) values ('${mode}', 's', 'r', 'line of ${ACCOUNT}', '2026-11-01')`,
  statement_rows: (txn, mode) =>
    `insert into statement_rows (mode, account, day, key, ordinal, amount_minor, narration, payer_name, payer_account, kind, file_id,
      line, seq, at) values
      ('${mode}', 'unknown:9900000078', '2026-11-01', 'k${txn}', 1, 5, 'NIP/RENT OF MISS EZE N', null, null, 'payment', 'f', 2, 2, '2026-11-01'),
      ('${mode}', 'b:1', '2026-11-01', 'none${txn}', 1, -5, 'TRANSFER TO ${NAME.toUpperCase()}', null, null, 'payment', 'f', 3, 3, '2026-11-01')`,
  statement_files: (txn, mode) =>
    `insert into statement_files (id, mode, account, name, format, profile, imported_by, started_at, ended_at, state)
    values ('stf_${txn}', '${mode}', 'b:1', '${NAME}.csv', 'csv', 'generic', 'per_1', '2026-11-01', '2026-11-01', 'done')`,
  webhook_attempts: (txn, mode) =>
    `with business as (insert into businesses (id, name, link_tag, created_at) values ('biz_fixture', 'B', 'fixture', now())
      on conflict do nothing),
    endpoint as (insert into webhook_endpoints (id, business_id, mode, url, created_at, updated_at)
      values ('whe_${txn}', 'biz_fixture', '${mode}', 'https://hooks.test', now(), now())),
    delivery as (insert into webhook_deliveries (id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
      values ('whd_${txn}', 'whe_${txn}', 'evt_${txn.slice(4)}_2', 'transaction.completed', 'delivered', now(), now(), now()))
    insert into webhook_attempts (delivery_id, no, at, duration_ms, status, outcome, answer)
    values ('whd_${txn}', 1, '2026-11-01', 1, 200, 'succeeded', 'noted for Ngozi')`,
  rail_events: (txn, mode) =>
    `insert into rail_events (id, mode, rail, digest, body, type, topic, about, received_at, state)
    values ('rev_${txn}', '${mode}', 'statements', '${txn}', '{"payer": "Miss Eze"}', 't', 'credit', 'k${txn}/1', '2026-11-01', 'done')`,
  simulated_statement: (txn) =>
    `insert into simulated_statement (kind, source_id, copy, reported_at_ms, line)
    values ('credit', '${txn}', 1, 1, '{"payerName": "${NAME}", "payerAccount": "${ACCOUNT}"}')`,
  simulated_payouts: (txn) =>
    `insert into simulated_payouts (reference, about, bank_code, account_number, amount_minor, charge_minor, session_id, fate,
      at_ms, settled_at_ms) values ('${txn}', '${txn}', '044', '${ACCOUNT}', 1, 0, 's', 'pays', 1, 1)`,
  request_log: (
    txn,
    mode,
  ) => `insert into request_log (business_id, mode, request_id, at, key_id, method, path, status, duration_ms, body, body_truncated)
    values ('biz_fixture', '${mode}', 'req_${txn}', '2026-11-01', 'k', 'POST', '/', 201, 1, '{"account_number":"${ACCOUNT}"}', false)`,
};

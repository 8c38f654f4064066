-- Whether money came in or went out is certain for every row that is stored from now on, and the row says why. Rows of before have
-- null: some of them were read from files that did not say it (sliproad statements uncertain).

alter table statement_rows add column direction_by text collate "C" check (direction_by in ('side', 'balance', 'signs'));
drop trigger append_only on statement_rows;
create trigger append_only before update of no, mode, account, day, key, ordinal, amount_minor, balance_minor, value_day, booked_at,
    session_id, payer_bank_name, kind, file_id, line, seq, at, direction_by on statement_rows
  for each statement execute function append_only();
-- Only rows of before are in it.
create index statement_rows_uncertain on statement_rows (mode, release_no)
  where direction_by is null and release_no is not null and kind = 'payment' and amount_minor > 0;

-- Why a day is held whatever its balances say: a file contradicted itself about the direction of one of its rows.
alter table statement_days add column doubt text;
alter table statement_days add constraint statement_days_doubt check (doubt is null or state = 'gap');

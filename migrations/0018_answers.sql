-- What answers show: a payout that failed is found by its sell. And a payment that a tester made in the sandbox belongs to the
-- tester's business: it pays for no other one. A payment that a bank reported has no business before it is matched.

create index movements_failed_payouts on movements (transaction_id) where kind = 'payout' and state = 'failed';

alter table bank_credits add column business_id text collate "C";
drop trigger append_only on bank_credits;
create trigger append_only before update of id, mode, source, source_id, account_number, account_bank_code,
    amount_minor, payer_account, payer_name, payer_bank_name, payer_bank_code, narration, session_id, value_at,
    received_at, raw, parent_id, business_id on bank_credits
  for each statement execute function append_only();

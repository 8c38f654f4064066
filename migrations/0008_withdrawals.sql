-- Tokens the operator takes out of a treasury.
alter table movements drop constraint movements_kind_check;
alter table movements add constraint movements_kind_check
  check (kind in ('send', 'payout', 'refund', 'sweep', 'withdrawal'));

-- What waits for people: an index for every queue they work through, and a word for tokens that were kept.

alter type deposit_state add value 'written_off';

create index transactions_on_hold on transactions (mode, id) where state = 'on_hold';
create index bank_credits_in_review on bank_credits (mode, id) where state = 'review';
create index deposits_in_suspense on deposits (mode, id) where state = 'suspense';
create index movements_stuck_refunds on movements (mode, id)
  where kind = 'refund' and (state = 'failed' or (state = 'pending' and destination is null));
create index bank_notices_in_review on bank_notices (mode, id) where state = 'review';
create index cases_open on cases (mode, id) where closed_at is null;
create index quarantine_by_mode on quarantine (mode, id);
create index proposals_by_subject on proposals (subject_id);

-- One person spelled in two ways is still one person.
alter table proposal_decisions
  add constraint two_people_however_spelled check (lower(decided_by) <> lower(proposed_by));

-- A movement comes back once, however often and under whatever names a bank reports it: the case that was opened for it
-- names it, and stands for it also when it is closed.
alter table cases add column movement_id text collate "C";

-- What came back before: the first case of each movement that a notice names.
with reported as (
  select m.id as movement_id, c.id as case_id, c.opened_at
  from cases c
  join bank_notices n on n.kind = 'payout_returned' and n.state = 'done' and n.mode = c.mode and n.amount_minor = c.amount_minor
  join movements m on m.id = replace(n.about, '-', '_') and m.transaction_id is not distinct from c.transaction_id
  where c.kind = 'payout_returned'
), first_case as (
  select distinct on (movement_id) movement_id, case_id from reported order by movement_id, opened_at, case_id
), one_each as (
  select distinct on (case_id) case_id, movement_id from first_case order by case_id, movement_id
)
update cases set movement_id = one_each.movement_id from one_each where cases.id = one_each.case_id;

create unique index cases_one_return on cases (movement_id) where movement_id is not null;

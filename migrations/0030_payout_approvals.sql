-- Rails that ask before they pay: which attempts we approved. An attempt may be approved again while its outcome is open, because an
-- order whose answer was lost is given again.
create table payout_approvals (
  movement_id text collate "C" not null,
  no integer not null,
  times integer not null default 1 check (times > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (movement_id, no),
  foreign key (movement_id, no) references movement_attempts (movement_id, no)
);

-- "Not one byte left us" opens the way to another rail. If the rail asked about that very order, it was given, and may be paid.
create function refuse_dead_after_approval() returns trigger language plpgsql as $$
begin
  if exists (select from payout_approvals p where p.movement_id = new.movement_id and p.no = new.no) then
    raise exception 'attempt % of % was approved at its rail, and may be paid there', new.no, new.movement_id
      using errcode = 'check_violation', constraint = 'movement_attempts_approved_may_pay';
  end if;
  return new;
end $$;
create trigger refuse_dead_after_approval before update on movement_attempts
  for each row when (new.state = 'dead' and new.rail is not null and old.state is distinct from new.state)
  execute function refuse_dead_after_approval();

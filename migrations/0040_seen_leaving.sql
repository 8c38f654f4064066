-- What was seen leaving a treasury under the hash of an attempt, in all: such bytes have landed, whatever is said of them later.
alter table movement_attempts add column left_minor numeric(38, 0) check (left_minor > 0);

-- Dead bytes let their order be signed again. Bytes that moved tokens are not dead, unless two people have looked at what left.
create function refuse_dead_after_leaving() returns trigger language plpgsql as $$
begin
  if not exists (select from outflow_acceptances a
      where a.mode = new.mode and a.network = new.network and a.tx_hash = new.reference) then
    raise exception 'tokens left the treasury under the hash of attempt % of %', new.no, new.movement_id
      using errcode = 'check_violation', constraint = 'movement_attempts_seen_leaving';
  end if;
  return new;
end $$;
create trigger refuse_dead_after_leaving before update on movement_attempts
  for each row when (new.state in ('dead', 'rejected') and new.left_minor is not null and new.network is not null
    and old.state is distinct from new.state)
  execute function refuse_dead_after_leaving();

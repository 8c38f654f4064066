-- Decisions are made by people: the one who proposes and the one who decides are rows of people, never the same one, and an
-- approval relies on a second factor that this person gave for this proposal, at most five minutes before, and only once.
-- Rows of versions that knew no people keep what they have (`not valid`).

-- A review decides about money that waits; a setting changes what the service does with money from then on.
alter table proposals
  add column kind text collate "C" not null default 'review' check (kind in ('review', 'setting')),
  add constraint proposals_by_a_person foreign key (proposed_by) references people not valid;

-- A proposal ends once: approved, declined, or withdrawn by its author. So the author's own row is a withdrawal and nothing
-- else, and every other row is by another person.
alter table proposal_decisions
  add column withdrawn boolean not null default false,
  add column step_up_id text collate "C",
  add column step_up_at timestamptz,
  drop constraint two_people,
  drop constraint two_people_however_spelled,
  add constraint two_people check (withdrawn or decided_by <> proposed_by),
  add constraint two_people_however_spelled check (withdrawn or lower(decided_by) <> lower(proposed_by)),
  add constraint withdrawn_by_its_author check (not withdrawn or (decided_by = proposed_by and not approved)),
  add constraint decided_by_a_person foreign key (decided_by) references people not valid,
  add constraint own_step_up foreign key (step_up_id, proposal_id, decided_by, step_up_at)
    references step_ups (id, subject_id, person_id, at),
  add constraint step_up_once unique (step_up_id),
  add constraint approved_with_step_up
    check (not approved or (step_up_id is not null and step_up_at is not null)) not valid,
  add constraint fresh_step_up check (step_up_at is null or at between step_up_at and step_up_at + interval '5 minutes');

-- Both people must have their right when the decision is written, and not only when they signed in: a person who was disabled
-- or lost the role meanwhile neither lets money move nor has proposed it. The rows of the rights are locked, so a removal at
-- the same moment comes before or after. The roles are those of src/domain/people/roles.ts; a test compares them.
create function decision_rights() returns trigger language plpgsql as $$
begin
  if new.withdrawn then return null; end if;
  perform from people where id in (new.decided_by, new.proposed_by) order by id for share;
  perform from operator_roles where person_id in (new.decided_by, new.proposed_by) order by person_id for share;
  if not operator_may(new.decided_by, array['admin', 'approver']) then
    raise exception 'the role does not allow to decide' using errcode = '23514', constraint = 'decider_has_right';
  end if;
  if new.approved and not operator_may(new.proposed_by, array['admin', 'reviewer']) then
    raise exception 'the proposer may not propose any more' using errcode = '23514', constraint = 'proposer_has_right';
  end if;
  return null;
end
$$;

create function operator_may(person text, roles text[]) returns boolean language sql volatile as $$
  select exists (select from operator_roles o join people p on p.id = o.person_id
    where p.id = person and p.disabled_at is null and o.role = any (roles))
$$;
-- After the constraints: they say first what else is wrong, such as one person twice.
create trigger decision_rights after insert on proposal_decisions for each row execute function decision_rights();

-- Decisions are made by people: the one who proposes and the one who decides are rows of people, never the same one, and an
-- approval relies on a second factor that this person gave for this proposal, at most five minutes before, and only once.
-- Rows of versions that knew no people keep what they have (`not valid`).

alter table proposals
  add constraint proposals_by_a_person foreign key (proposed_by) references people not valid;

alter table proposal_decisions
  add column step_up_id text collate "C",
  add column step_up_at timestamptz,
  add constraint decided_by_a_person foreign key (decided_by) references people not valid,
  add constraint own_step_up foreign key (step_up_id, proposal_id, decided_by, step_up_at)
    references step_ups (id, subject_id, person_id, at),
  add constraint step_up_once unique (step_up_id),
  add constraint approved_with_step_up
    check (not approved or (step_up_id is not null and step_up_at is not null)) not valid,
  add constraint fresh_step_up check (step_up_at is null or at between step_up_at and step_up_at + interval '5 minutes');

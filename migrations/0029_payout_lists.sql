-- Payouts and refunds by bank are listed for people: the newest first, those of one state, and those of one rail.
create index movements_at_bank on movements (mode, id) where network is null;
-- Nearly all are done, and those are found above.
create index movements_at_bank_by_state on movements (mode, state, id) where network is null and state <> 'done';
create index movement_attempts_by_rail on movement_attempts (mode, rail, movement_id) where rail is not null;

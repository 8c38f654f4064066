-- Every attempt names where it was made: a network or a bank rail, never both. Until now there was one rail.
alter table movement_attempts add column rail text collate "C";
update movement_attempts set rail = 'simulated' where network is null;
alter table movement_attempts add constraint attempts_one_way check (num_nonnulls(network, rail) = 1);

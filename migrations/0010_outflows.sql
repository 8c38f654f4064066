-- What leaves a treasury is compared with what was signed: the simulated networks are asked for it before every signature.
create index simulated_transfers_by_end on simulated_transfers (network, final_at_ms);

-- A payout or refund that was done, and whose naira the bank gave back. A value of its own file: PostgreSQL lets a new value be
-- used only after the transaction that adds it.

alter type movement_state add value 'returned';

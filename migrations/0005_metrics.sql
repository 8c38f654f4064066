-- The check of the ledger reads the newest entries by their commit. Without this, the newest part of the index has no
-- summary until the table is vacuumed, and the check would read all of it again and again.
alter index entries_by_commit set (autosummarize = on);

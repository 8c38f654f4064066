-- What payers wrote is kept in the rows of statements alone, where it is erased: differences name the row.
update reconciliation_items set facts = facts #- '{row,narration}' #- '{row,reference}' where jsonb_typeof(facts -> 'row') = 'object';

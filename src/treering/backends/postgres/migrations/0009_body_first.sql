-- Nothing: the index of words on this database has one column. The number is that of the other database's migration.
select 1;

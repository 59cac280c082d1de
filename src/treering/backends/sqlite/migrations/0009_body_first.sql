-- The keyword index with the body first: each word of an entry in a later column takes two bytes more, and most words
-- stand in bodies. Whoever opens the store next makes its rows again, from the stored texts.

drop table words_vocabulary;
drop table words;

create virtual table words using fts5 (
  body, head,
  content = '',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
-- Bytes of words that are sorted at once: with 1 MB, as it would be, a batch of 250 files made three runs to merge.
insert into words (words, rank) values ('hashsize', 4194304);

-- How many entries hold a word.
create virtual table words_vocabulary using fts5vocab (words, row);

delete from setting where name = 'analysis';

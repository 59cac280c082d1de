-- Paragraphs that are flagged as oversized: few, mostly none. A search looks at their passages.

create index chunk_long on chunk (space, entry) where oversized = 1 and kind = 'prose';

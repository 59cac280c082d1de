"""PostgreSQL with pgvector, by psycopg: the store that a team shares."""

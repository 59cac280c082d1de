"""SQLite, embedded, by APSW: the default store."""

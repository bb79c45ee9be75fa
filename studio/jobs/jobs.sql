CREATE TABLE IF NOT EXISTS job (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    character TEXT NOT NULL DEFAULT '',
    payload TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    attempts INTEGER NOT NULL DEFAULT 0,
    cancel INTEGER NOT NULL DEFAULT 0,
    worker TEXT,
    pid INTEGER,
    heartbeat REAL,
    created REAL NOT NULL,
    started REAL,
    ended REAL,
    error TEXT,
    result TEXT
);
CREATE INDEX IF NOT EXISTS job_by_state ON job (state, created);
CREATE INDEX IF NOT EXISTS job_by_owner ON job (owner, created);
CREATE TABLE IF NOT EXISTS event (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    job TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS event_by_job ON event (job, number);

-- What the API knows of each row of the app. A row without `account` has no record: it is deleted, hidden, or has no account.
CREATE TABLE IF NOT EXISTS api_rows (
  resource text NOT NULL,
  source_id text NOT NULL,
  account text,
  api_id text,
  known bigint NOT NULL DEFAULT 0,
  revision bigint NOT NULL DEFAULT 0,
  first_revision bigint,
  -- Of what was last sent; NULL when a client has edited the record since.
  hash text,
  PRIMARY KEY (resource, source_id)
);
CREATE UNIQUE INDEX IF NOT EXISTS api_rows_api_id ON api_rows (api_id) WHERE api_id IS NOT NULL;

-- Which rows may have changed. The app's transactions only add here, so they wait for nothing and for nobody. `via` names a lookup whose row
-- has changed, and with it any number of records.
CREATE TABLE IF NOT EXISTS api_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  resource text NOT NULL,
  source_id text NOT NULL,
  via text NOT NULL DEFAULT '',
  later boolean NOT NULL DEFAULT false,
  restate boolean NOT NULL DEFAULT false
);
CREATE INDEX IF NOT EXISTS api_changes_next ON api_changes (later, id);

-- The messages that have yet to be sent, those with the fewest failures first. A relay that has claimed rows sends them; if it dies, another
-- one does when the claim has passed.
CREATE TABLE IF NOT EXISTS api_outbox (
  resource text NOT NULL,
  source_id text NOT NULL,
  revision bigint NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  gone text,
  claim text,
  claimed_until bigint NOT NULL DEFAULT 0,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (resource, source_id)
);
CREATE INDEX IF NOT EXISTS api_outbox_next ON api_outbox (failures, claimed_until);

-- The ids of deleted records: a late message must not make a row of one again. Delete those older than 14 days now and then.
CREATE TABLE IF NOT EXISTS api_gone (api_id text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());

-- To merge a contact into another, insert both keys here, and then delete the first.
CREATE TABLE IF NOT EXISTS api_merged (source_id text PRIMARY KEY, into_id text NOT NULL);

-- What people have to look at: values of ours that the API rejected, values of clients that our database rejects, and messages that failed.
-- A rejected field is not sent while the row still has `ours`, so the client's value stays in the API. Rows end when what they say is mended.
CREATE TABLE IF NOT EXISTS api_refusals (id text PRIMARY KEY, account text, resource text, source_id text, revision bigint, problems text, stored integer,
  refused_at text);
CREATE TABLE IF NOT EXISTS api_rejected_values (account text, api_id text, field text, value text, ours text, reason text, at timestamptz DEFAULT now(),
  PRIMARY KEY (api_id, field));
CREATE TABLE IF NOT EXISTS api_failed_messages (id text PRIMARY KEY, account text, message text, reason text, at timestamptz DEFAULT now());

-- How far this database has come, as the API knows it: `confirmed` is the last beat that both have, and `pending` the next one. After a
-- restore from a backup the two differ.
CREATE TABLE IF NOT EXISTS api_progress (database_id text PRIMARY KEY DEFAULT gen_random_uuid()::text, confirmed text, pending text);
INSERT INTO api_progress (confirmed) SELECT NULL WHERE NOT EXISTS (SELECT FROM api_progress);

-- Notes that a row has changed. Its arguments: the resource, the lookup, the column that leads to the record, and the columns that matter.
-- It runs with the rights of its owner, because the roles of the app have none here; and it reads rows as JSON, so that a column that a
-- migration has dropped does not break a write of the app.
CREATE OR REPLACE FUNCTION api_note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  old_row jsonb := to_jsonb(OLD);
  new_row jsonb := to_jsonb(NEW);
BEGIN
  IF TG_OP = 'UPDATE' AND TG_ARGV[3] <> '*' AND NOT EXISTS (
      SELECT FROM unnest(string_to_array(TG_ARGV[3], ',')) AS watched (name) WHERE old_row -> name IS DISTINCT FROM new_row -> name) THEN
    RETURN NULL;
  END IF;
  -- What a client has edited is not sent back.
  INSERT INTO api_changes (resource, source_id, via)
    SELECT TG_ARGV[0], id, TG_ARGV[1] FROM (SELECT old_row ->> TG_ARGV[2] UNION SELECT new_row ->> TG_ARGV[2]) AS led (id)
    WHERE id IS NOT NULL AND NOT (TG_ARGV[1] = '' AND TG_ARGV[0] || ' ' || id = coalesce(current_setting('api.taking', true), ''));
  RETURN NULL;
END $$;

-- How many of its smallest units a currency has.
CREATE OR REPLACE FUNCTION api_units(currency text) RETURNS integer LANGUAGE sql IMMUTABLE AS
  $$ SELECT CASE WHEN upper(currency) IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 1
    WHEN upper(currency) IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 1000 ELSE 100 END $$;

-- An amount in the smallest unit of its currency, and back.
CREATE OR REPLACE FUNCTION api_minor(amount numeric, currency text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$ SELECT round(amount * api_units(currency))::bigint $$;
CREATE OR REPLACE FUNCTION api_major(amount numeric, currency text) RETURNS numeric LANGUAGE sql IMMUTABLE AS
  $$ SELECT amount / api_units(currency) $$;

-- A record as the inbox takes it: the fields, and how they merge. docs/merge.md has the rules.
CREATE OR REPLACE FUNCTION api_record(of_resource text, of_id text, of_row api_rows, content jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object('source_id', of_id, 'id', of_row.api_id, 'revision', of_row.revision, 'first_revision', of_row.first_revision))
    || CASE WHEN api_is_taken(of_resource) THEN jsonb_build_object('known_version', of_row.known, 'left_out', 'keep') ELSE '{}' END
    || content $$;

-- What is left of a record without the fields whose client's value our database rejected. A field that has another value since is sent again.
CREATE OR REPLACE FUNCTION api_without_rejected(of_id text, content jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  rejected record;
  path text[];
BEGIN
  FOR rejected IN SELECT field, ours FROM api_rejected_values WHERE api_id = of_id LOOP
    path := array_remove(regexp_match(rejected.field, '^([^.]+)\.?(.*)$'), '');
    IF coalesce(content #> path, 'null') <> rejected.ours::jsonb THEN
      DELETE FROM api_rejected_values WHERE api_id = of_id AND field = rejected.field;
      CONTINUE;
    END IF;
    -- An amount or a boolean that is left out would become 0 or false.
    CONTINUE WHEN cardinality(path) = 1 AND jsonb_typeof(content #> path) IN ('number', 'boolean');
    content := content #- path;
    IF content -> path[1] = '{}' THEN
      content := content - path[1];
    END IF;
  END LOOP;
  RETURN content;
END $$;

-- Turns noted changes into messages of the outbox: one for a record that differs from what was last sent, and one for the deletion of a record
-- whose row is deleted, hidden, or another account's. @returns how many notes it has looked at
CREATE OR REPLACE FUNCTION api_gather() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  note record;
  was api_rows;
  state record;
  content jsonb;
  looked integer := 0;
BEGIN
  -- Messages hold the state of their record: more than are sent soon would be out of date. Those that the queue refuses hold up nothing.
  IF (SELECT count(*) FROM (SELECT FROM api_outbox WHERE failures < 3 LIMIT 1000) AS waiting) = 1000 THEN
    RETURN 0;
  END IF;
  FOR note IN SELECT resource, via, source_id, bool_and(later) AS later, bool_or(restate) AS restate, array_agg(id) AS ids
      FROM (SELECT * FROM api_changes ORDER BY later, id LIMIT 200 FOR UPDATE SKIP LOCKED) AS next
      GROUP BY resource, via, source_id ORDER BY resource, via, source_id LOOP
    looked := looked + 1;
    IF note.via <> '' THEN
      PERFORM api_spread(note.resource, note.via, note.source_id);
      DELETE FROM api_changes WHERE id = ANY (note.ids);
      CONTINUE;
    END IF;
    INSERT INTO api_rows (resource, source_id) VALUES (note.resource, note.source_id) ON CONFLICT DO NOTHING;
    SELECT * INTO was FROM api_rows WHERE resource = note.resource AND source_id = note.source_id FOR UPDATE SKIP LOCKED;
    -- Somebody works on the row: its note stays.
    CONTINUE WHEN NOT FOUND;
    DELETE FROM api_changes WHERE id = ANY (note.ids);
    BEGIN
      SELECT s.account, s.content INTO state FROM api_state(note.resource, note.source_id) AS s;
    EXCEPTION WHEN data_exception THEN
      INSERT INTO api_refusals (id, account, resource, source_id, revision, problems, stored, refused_at)
        VALUES (note.resource || ' ' || note.source_id, was.account, note.resource, note.source_id, was.revision, to_json(ARRAY[SQLERRM]), 0, now())
        ON CONFLICT (id) DO UPDATE SET problems = excluded.problems, refused_at = excluded.refused_at;
      CONTINUE;
    END;
    IF was.account IS NOT NULL AND was.account IS DISTINCT FROM state.account THEN
      was.revision := was.revision + 1;
      DELETE FROM api_outbox WHERE resource = note.resource AND source_id = note.source_id;
      INSERT INTO api_outbox (resource, source_id, revision, gone)
        VALUES (note.resource, note.source_id || '#' || was.revision, was.revision, jsonb_build_object(
          'account', was.account, 'resource', note.resource, 'deleted', jsonb_build_object(
            'source_id', note.source_id, 'id', was.api_id, 'revision', was.revision, 'merged_into', (
              SELECT jsonb_build_object('source_id', m.into_id, 'first_revision', r.first_revision) FROM api_merged m
                LEFT JOIN api_rows r ON r.resource = note.resource AND r.source_id = m.into_id
                WHERE m.source_id = note.source_id AND note.resource = 'contacts'))));
      INSERT INTO api_gone (api_id) SELECT was.api_id WHERE was.api_id IS NOT NULL ON CONFLICT DO NOTHING;
      DELETE FROM api_merged WHERE source_id = note.source_id AND note.resource = 'contacts';
      was.account := NULL;
      was.api_id := NULL;
      was.known := 0;
    END IF;
    content := api_without_rejected(was.api_id, state.content);
    IF state.account IS NOT NULL AND (was.account IS NULL OR note.restate OR was.hash IS DISTINCT FROM md5(content::text)) THEN
      was.revision := was.revision + 1;
      -- A row that comes back is another record.
      IF was.account IS NULL AND was.revision > 1 THEN
        was.first_revision := was.revision;
      END IF;
      was.account := state.account;
      was.hash := md5(content::text);
      INSERT INTO api_outbox (resource, source_id, revision, failures, gone)
        VALUES (note.resource, note.source_id, was.revision, note.later::integer, jsonb_build_object(
          'account', was.account, 'resource', note.resource, 'record', api_record(note.resource, note.source_id, was, content)))
        ON CONFLICT (resource, source_id) DO UPDATE
          SET revision = excluded.revision, gone = excluded.gone, failures = excluded.failures;
    END IF;
    UPDATE api_rows SET account = was.account, api_id = was.api_id, known = was.known, revision = was.revision,
        first_revision = was.first_revision, hash = was.hash
      WHERE resource = note.resource AND source_id = note.source_id;
    DELETE FROM api_rows WHERE resource = note.resource AND source_id = note.source_id AND revision = 0 AND account IS NULL;
  END LOOP;
  RETURN looked;
END $$;
ALTER FUNCTION api_gather() SET timezone = 'UTC';

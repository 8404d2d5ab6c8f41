-- Removes what depends on the columns of your tables, so that a migration can change them. What is noted stays.
-- Run it, the migration and api.sql in one transaction, and no change is missed: psql -1 -f drop.sql -f migration.sql -f api.sql
SET lock_timeout = '500ms';
SET client_min_messages = warning;
DO $$
DECLARE found record;
BEGIN
  FOR found IN SELECT tgname, tgrelid::regclass AS on_table FROM pg_trigger
      WHERE tgfoid = to_regproc('api_note') AND tgparentid = 0 ORDER BY on_table LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', found.tgname, found.on_table);
  END LOOP;
END $$;
DROP VIEW IF EXISTS api_records, api_fields;
DO $$
DECLARE view_name text;
BEGIN
  -- The views that clients write have a trigger. They come before the views that they are made of.
  FOR view_name IN SELECT relname FROM pg_class c LEFT JOIN pg_trigger ON tgrelid = c.oid AND tgname = relname || '_write'
      WHERE relnamespace = current_schema()::regnamespace AND relkind = 'v' AND relname LIKE 'api\_%'
        AND (tgname IS NOT NULL OR relname LIKE 'api\_visible\_%')
      ORDER BY tgname IS NULL LOOP
    EXECUTE format('DROP VIEW %I', view_name);
  END LOOP;
END $$;

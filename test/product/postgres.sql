-- The example product, for PostgreSQL: keys are uuids, names are the product's own, tags are an array, and the account is in another table.
-- docs/adopt.md says how to make it yours.

-- The tables of the product, as they were before it had an API.
CREATE TABLE workspaces (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), slug text NOT NULL UNIQUE);
CREATE TABLE customers (
  customer_no uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  workspace uuid NOT NULL REFERENCES workspaces,
  mail text,
  first_name text,
  last_name text,
  phone text,
  city text,
  labels text[] NOT NULL DEFAULT '{}',
  note text,
  points integer CHECK (points >= 0),
  UNIQUE (workspace, mail)
);
CREATE TABLE purchases (
  purchase_no uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  workspace uuid NOT NULL REFERENCES workspaces,
  customer uuid REFERENCES customers ON DELETE SET NULL,
  mail text,
  status text NOT NULL DEFAULT 'confirmed',
  paid boolean NOT NULL DEFAULT false,
  item text NOT NULL,
  price integer NOT NULL,
  placed_at timestamptz NOT NULL DEFAULT now()
);

-- From here on it is for the API. The names of tables and columns in it are yours: in ALTER TABLE, in api_records and where the triggers are
-- created.
ALTER TABLE customers ADD COLUMN api_id text UNIQUE,
  ADD COLUMN api_known bigint NOT NULL DEFAULT 0,
  ADD COLUMN api_revision bigint NOT NULL DEFAULT 1;
ALTER TABLE purchases ADD COLUMN api_revision bigint NOT NULL DEFAULT 1;

-- Each row as the API states it.
CREATE VIEW api_records AS
SELECT 'contacts' AS resource, c.customer_no AS source_id, w.slug AS account, c.api_id, c.api_revision AS revision, json_build_object(
  'source_id', c.customer_no, 'id', c.api_id, 'known_version', c.api_known, 'revision', c.api_revision, 'left_out', 'keep',
  'email', c.mail, 'first_name', c.first_name, 'last_name', c.last_name, 'phone', c.phone,
  'address', json_build_object('city', c.city), 'tags', c.labels, 'note', c.note,
  'custom_fields', json_build_object('points', c.points))::text AS record
FROM customers c JOIN workspaces w ON w.id = c.workspace
UNION ALL
SELECT 'orders', p.purchase_no, w.slug, NULL, p.api_revision, json_build_object(
  'source_id', p.purchase_no, 'revision', p.api_revision,
  'number', p.purchase_no, 'contact_source_id', p.customer, 'customer', json_build_object('email', p.mail),
  'status', p.status, 'payment_status', CASE WHEN p.paid THEN 'paid' ELSE 'unpaid' END, 'fulfillment_status', 'not_required',
  'currency', 'EUR', 'subtotal_amount', p.price, 'total_amount', p.price,
  'line_items', json_build_array(json_build_object('id', '1', 'type', 'product', 'name', p.item, 'quantity', 1,
    'unit_amount', p.price, 'total_amount', p.price)),
  'placed_at', p.placed_at)::text
FROM purchases p JOIN workspaces w ON w.id = p.workspace;

-- The rows whose state has yet to be sent, those with the fewest failures first. Of a row that is gone, `gone` is the message. A relay that
-- has claimed rows sends them; if it dies, another one does when the claim has passed.
CREATE TABLE api_outbox (
  resource text NOT NULL,
  source_id uuid NOT NULL,
  revision bigint NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  gone text,
  claim text,
  claimed_until bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (resource, source_id)
);

CREATE INDEX api_outbox_next ON api_outbox (failures, claimed_until);

-- The ids of deleted contacts: a late message must not make a row of one again. Delete those older than 14 days now and then.
CREATE TABLE api_gone (api_id text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());

-- To merge a contact into another, insert both here, and then delete the first.
CREATE TABLE api_merged (source_id uuid PRIMARY KEY, into_id uuid NOT NULL);

-- What people have to look at: values of ours that the API rejected, values of clients that our database rejects, and messages that failed.
-- A rejected field is not sent while the row still has `ours`, so the client's value stays in the API. Rows end when what they say is mended.
CREATE TABLE api_refusals (id text PRIMARY KEY, account text, resource text, source_id text, revision bigint, problems text, stored integer,
  refused_at text);
CREATE TABLE api_rejected_values (account text, api_id text, field text, value text, ours text, reason text, at timestamptz DEFAULT now(),
  PRIMARY KEY (api_id, field));
CREATE TABLE api_failed_messages (id text PRIMARY KEY, account text, message text, reason text, at timestamptz DEFAULT now());

-- How far this database has come. The API keeps the number as well: if its number is higher, this database was restored from a backup.
CREATE TABLE api_progress (database_id text PRIMARY KEY DEFAULT gen_random_uuid()::text, progress bigint NOT NULL, confirmed bigint NOT NULL);
INSERT INTO api_progress (progress, confirmed) VALUES (0, 0);

-- A change and its place in the outbox are one transaction. Only the consumer raises api_known, and what it writes is not sent back.
CREATE FUNCTION api_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) -> 'api_known' IS DISTINCT FROM to_jsonb(OLD) -> 'api_known' THEN
      RETURN NEW;
    END IF;
    NEW.api_revision := OLD.api_revision + 1;
  END IF;
  INSERT INTO api_outbox (resource, source_id, revision)
    VALUES (TG_ARGV[0], (to_jsonb(NEW) ->> TG_ARGV[1])::uuid, NEW.api_revision)
    ON CONFLICT (resource, source_id) DO UPDATE SET revision = excluded.revision, failures = 0;
  RETURN NEW;
END $$;
CREATE TRIGGER api_changed BEFORE INSERT OR UPDATE OF mail, first_name, last_name, phone, city, labels, note, points ON customers
  FOR EACH ROW EXECUTE FUNCTION api_changed('contacts', 'customer_no');
CREATE TRIGGER api_changed BEFORE INSERT OR UPDATE OF customer, mail, status, paid, item, price, placed_at ON purchases
  FOR EACH ROW EXECUTE FUNCTION api_changed('orders', 'purchase_no');

-- A row that is deleted is told once, and not back to the API when that has deleted it.
CREATE FUNCTION api_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE key uuid := to_jsonb(OLD) ->> TG_ARGV[1];
BEGIN
  DELETE FROM api_outbox WHERE resource = TG_ARGV[0] AND source_id = key;
  INSERT INTO api_outbox (resource, source_id, revision, gone)
    SELECT resource, source_id, revision + 1, json_build_object('account', account, 'resource', resource, 'deleted', json_build_object(
      'source_id', source_id, 'id', api_id, 'revision', revision + 1,
      'merged_into', (SELECT json_build_object('source_id', into_id) FROM api_merged m WHERE m.source_id = key)))::text
    FROM api_records r WHERE resource = TG_ARGV[0] AND source_id = key
      AND NOT EXISTS (SELECT 1 FROM api_gone g WHERE g.api_id = r.api_id);
  INSERT INTO api_gone (api_id) SELECT to_jsonb(OLD) ->> 'api_id' WHERE to_jsonb(OLD) ->> 'api_id' IS NOT NULL ON CONFLICT DO NOTHING;
  RETURN OLD;
END $$;
CREATE TRIGGER api_deleted BEFORE DELETE ON customers FOR EACH ROW EXECUTE FUNCTION api_deleted('contacts', 'customer_no');
CREATE TRIGGER api_deleted BEFORE DELETE ON purchases FOR EACH ROW EXECUTE FUNCTION api_deleted('orders', 'purchase_no');

-- The example product, for SQLite. postgres.sql is the same for PostgreSQL. docs/adopt.md says how to make it yours.

-- The tables of the product, as they were before it had an API. An id is never used again.
CREATE TABLE contacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  email TEXT,
  first_name TEXT,
  last_name TEXT,
  phone TEXT,
  city TEXT,
  tags TEXT NOT NULL DEFAULT '[]', -- JSON
  note TEXT,
  points TEXT -- JSON, because clients may write a text, a number, true or false
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  contact INTEGER REFERENCES contacts ON DELETE SET NULL,
  email TEXT,
  status TEXT NOT NULL DEFAULT 'confirmed',
  payment_status TEXT NOT NULL DEFAULT 'unpaid',
  item TEXT NOT NULL,
  price INTEGER NOT NULL,
  placed_at TEXT NOT NULL
);
CREATE TABLE tickets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  contact INTEGER REFERENCES contacts ON DELETE SET NULL,
  email TEXT,
  event TEXT NOT NULL,
  starts_at TEXT NOT NULL,
  timezone TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'confirmed',
  price INTEGER NOT NULL,
  registered_at TEXT NOT NULL
);

-- From here on it is for the API. Only the columns are yours: in the list of a trigger, in api_pending, and in api_take.
ALTER TABLE contacts ADD COLUMN api_id TEXT;
ALTER TABLE contacts ADD COLUMN api_known INTEGER NOT NULL DEFAULT 0;
ALTER TABLE contacts ADD COLUMN api_revision INTEGER NOT NULL DEFAULT 1;
CREATE UNIQUE INDEX contacts_api_id ON contacts (api_id);
ALTER TABLE orders ADD COLUMN api_revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tickets ADD COLUMN api_revision INTEGER NOT NULL DEFAULT 1;

-- The rows whose state has yet to be sent. One that changes again before that is sent once. Of a row that is gone, `gone` is the message.
-- Those with the fewest failures are sent first; a first load begins with one, so that it waits behind what changes now.
CREATE TABLE api_outbox (
  resource TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  gone TEXT,
  PRIMARY KEY (resource, source_id)
);

-- The ids of deleted contacts: a late message must not make a row of one again. Delete those older than 14 days now and then.
CREATE TABLE api_gone (api_id TEXT PRIMARY KEY, at TEXT NOT NULL DEFAULT current_timestamp);

-- To merge a contact into another, insert both here, and then delete the first.
CREATE TABLE api_merged (source_id INTEGER PRIMARY KEY, into_id INTEGER NOT NULL);

-- A change and its place in the outbox are one transaction. Only api_take raises api_known, and what it writes is not sent back.
CREATE TRIGGER contacts_created AFTER INSERT ON contacts BEGIN
  INSERT INTO api_outbox (resource, source_id, revision) VALUES ('contacts', NEW.id, NEW.api_revision);
END;
CREATE TRIGGER contacts_changed AFTER UPDATE OF email, first_name, last_name, phone, city, tags, note, points ON contacts
WHEN NEW.api_known = OLD.api_known BEGIN
  UPDATE contacts SET api_revision = api_revision + 1 WHERE id = NEW.id;
  INSERT INTO api_outbox (resource, source_id, revision) VALUES ('contacts', NEW.id, NEW.api_revision + 1)
    ON CONFLICT DO UPDATE SET revision = excluded.revision, failures = 0;
END;
CREATE TRIGGER orders_created AFTER INSERT ON orders BEGIN
  INSERT INTO api_outbox (resource, source_id, revision) VALUES ('orders', NEW.id, NEW.api_revision);
END;
CREATE TRIGGER orders_changed AFTER UPDATE OF contact, email, status, payment_status, item, price, placed_at ON orders BEGIN
  UPDATE orders SET api_revision = api_revision + 1 WHERE id = NEW.id;
  INSERT INTO api_outbox (resource, source_id, revision) VALUES ('orders', NEW.id, NEW.api_revision + 1)
    ON CONFLICT DO UPDATE SET revision = excluded.revision, failures = 0;
END;
CREATE TRIGGER tickets_created AFTER INSERT ON tickets BEGIN
  INSERT INTO api_outbox (resource, source_id, revision) VALUES ('event-registrations', NEW.id, NEW.api_revision);
END;
CREATE TRIGGER tickets_changed AFTER UPDATE OF contact, email, event, starts_at, timezone, status, price, registered_at ON tickets BEGIN
  UPDATE tickets SET api_revision = api_revision + 1 WHERE id = NEW.id;
  INSERT INTO api_outbox (resource, source_id, revision) VALUES ('event-registrations', NEW.id, NEW.api_revision + 1)
    ON CONFLICT DO UPDATE SET revision = excluded.revision, failures = 0;
END;

-- A row that is deleted is told once, and not back to the API when that has deleted it.
CREATE TRIGGER contacts_deleted AFTER DELETE ON contacts WHEN NOT EXISTS (SELECT 1 FROM api_gone WHERE api_id = OLD.api_id) BEGIN
  INSERT INTO api_outbox (resource, source_id, revision, gone) VALUES ('contacts', OLD.id, OLD.api_revision + 1, json_object(
    'account', OLD.account, 'resource', 'contacts', 'deleted', json_object(
      'source_id', CAST(OLD.id AS TEXT), 'id', OLD.api_id, 'revision', OLD.api_revision + 1,
      'merged_into', (SELECT json_object('source_id', CAST(into_id AS TEXT)) FROM api_merged WHERE source_id = OLD.id))))
    ON CONFLICT DO UPDATE SET revision = excluded.revision, failures = 0, gone = excluded.gone;
  INSERT INTO api_gone (api_id) SELECT OLD.api_id WHERE OLD.api_id IS NOT NULL;
END;
CREATE TRIGGER orders_deleted AFTER DELETE ON orders BEGIN
  INSERT INTO api_outbox (resource, source_id, revision, gone) VALUES ('orders', OLD.id, OLD.api_revision + 1, json_object(
    'account', OLD.account, 'resource', 'orders', 'deleted', json_object('source_id', CAST(OLD.id AS TEXT), 'revision', OLD.api_revision + 1)))
    ON CONFLICT DO UPDATE SET revision = excluded.revision, failures = 0, gone = excluded.gone;
END;
CREATE TRIGGER tickets_deleted AFTER DELETE ON tickets BEGIN
  INSERT INTO api_outbox (resource, source_id, revision, gone) VALUES ('event-registrations', OLD.id, OLD.api_revision + 1, json_object(
    'account', OLD.account, 'resource', 'event-registrations',
    'deleted', json_object('source_id', CAST(OLD.id AS TEXT), 'revision', OLD.api_revision + 1)))
    ON CONFLICT DO UPDATE SET revision = excluded.revision, failures = 0, gone = excluded.gone;
END;

-- What names a contact by its id in the API is sent when this id is known.
CREATE TRIGGER contacts_linked AFTER UPDATE OF api_id ON contacts WHEN OLD.api_id IS NULL AND NEW.api_id IS NOT NULL BEGIN
  UPDATE orders SET contact = contact WHERE contact = NEW.id;
  UPDATE tickets SET contact = contact WHERE contact = NEW.id;
END;

-- The messages for the inbox. What a contact has no column for is kept as clients have written it.
CREATE VIEW api_pending AS
SELECT o.resource, o.source_id, o.revision, o.failures, c.account, json_object(
  'account', c.account, 'resource', o.resource, 'record', json_object(
    'source_id', CAST(c.id AS TEXT), 'id', c.api_id,
    'known_version', c.api_known, 'revision', c.api_revision, 'left_out', 'keep',
    'email', c.email, 'first_name', c.first_name, 'last_name', c.last_name, 'phone', c.phone,
    'address', json_object('city', c.city), 'tags', json(c.tags), 'note', c.note,
    'custom_fields', json_object('points', json(c.points)))) AS message
FROM api_outbox o JOIN contacts c ON c.id = o.source_id WHERE o.resource = 'contacts'
UNION ALL
SELECT o.resource, o.source_id, o.revision, o.failures, r.account, json_object(
  'account', r.account, 'resource', o.resource, 'record', json_object(
    'source_id', CAST(r.id AS TEXT), 'revision', r.api_revision,
    'number', CAST(r.id AS TEXT), 'contact_id', c.api_id,
    'customer', json_object('email', r.email),
    'status', r.status, 'payment_status', r.payment_status, 'fulfillment_status', 'not_required',
    'currency', 'EUR', 'subtotal_amount', r.price, 'total_amount', r.price,
    'line_items', json_array(json_object('id', '1', 'type', 'product', 'name', r.item, 'quantity', 1,
      'unit_amount', r.price, 'total_amount', r.price)),
    'placed_at', r.placed_at))
FROM api_outbox o JOIN orders r ON r.id = o.source_id LEFT JOIN contacts c ON c.id = r.contact WHERE o.resource = 'orders'
UNION ALL
SELECT o.resource, o.source_id, o.revision, o.failures, t.account, json_object(
  'account', t.account, 'resource', o.resource, 'record', json_object(
    'source_id', CAST(t.id AS TEXT), 'revision', t.api_revision,
    'event', json_object('id', t.event, 'name', t.event, 'starts_at', t.starts_at, 'timezone', t.timezone),
    'contact_id', c.api_id, 'attendee', json_object('email', t.email),
    'ticket', json_object('type_id', 'regular', 'type_name', 'Regular', 'price_amount', t.price, 'currency', 'EUR'),
    'status', t.status, 'registered_at', t.registered_at))
FROM api_outbox o JOIN tickets t ON t.id = o.source_id LEFT JOIN contacts c ON c.id = t.contact
WHERE o.resource = 'event-registrations'
UNION ALL
SELECT o.resource, o.source_id, o.revision, o.failures, o.gone ->> '$.account', o.gone FROM api_outbox o WHERE o.gone IS NOT NULL;

-- Takes a message of the API: INSERT INTO api_received VALUES (the message). A record that a client created becomes a row, whose
-- message links it to its id, and a deleted one takes its row with it. A field is taken when its last edit by a client is newer than what the row knows.
CREATE VIEW api_received (message) AS SELECT NULL WHERE 0;
CREATE TRIGGER api_take_deletion INSTEAD OF INSERT ON api_received WHEN NEW.message ->> '$.type' = 'contact.deleted' BEGIN
  INSERT INTO api_gone (api_id) VALUES (NEW.message ->> '$.resource.id') ON CONFLICT DO NOTHING;
  UPDATE contacts SET api_id = NEW.message ->> '$.resource.id', api_known = NEW.message ->> '$.resource.version'
    WHERE account = NEW.message ->> '$.account' AND id = CAST(NEW.message ->> '$.resource.source_id' AS INTEGER);
  DELETE FROM contacts WHERE api_id = NEW.message ->> '$.resource.id';
END;
CREATE TRIGGER api_take INSTEAD OF INSERT ON api_received
WHEN NEW.message ->> '$.resource.type' = 'contact' AND NEW.message ->> '$.type' <> 'contact.deleted' BEGIN
  INSERT INTO contacts (account, api_id) SELECT NEW.message ->> '$.account', NEW.message ->> '$.resource.id'
    WHERE NEW.message ->> '$.resource.source_id' IS NULL
      AND NOT EXISTS (SELECT 1 FROM api_gone WHERE api_id = NEW.message ->> '$.resource.id')
      AND NOT EXISTS (SELECT 1 FROM contacts WHERE api_id = NEW.message ->> '$.resource.id');
  UPDATE contacts SET
    email = iif(coalesce(NEW.message ->> '$.client_edits.email', 0) > api_known, NEW.message ->> '$.data.email', email),
    first_name = iif(coalesce(NEW.message ->> '$.client_edits.first_name', 0) > api_known, NEW.message ->> '$.data.first_name', first_name),
    last_name = iif(coalesce(NEW.message ->> '$.client_edits.last_name', 0) > api_known, NEW.message ->> '$.data.last_name', last_name),
    phone = iif(coalesce(NEW.message ->> '$.client_edits.phone', 0) > api_known, NEW.message ->> '$.data.phone', phone),
    city = iif(coalesce(NEW.message ->> '$.client_edits."address.city"', 0) > api_known, NEW.message ->> '$.data.address.city', city),
    tags = iif(coalesce(NEW.message ->> '$.client_edits.tags', 0) > api_known, NEW.message -> '$.data.tags', tags),
    note = iif(coalesce(NEW.message ->> '$.client_edits.note', 0) > api_known, NEW.message ->> '$.data.note', note),
    points = iif(max(coalesce(NEW.message ->> '$.client_edits."custom_fields.points"', 0), coalesce(NEW.message ->> '$.client_edits.custom_fields', 0))
      > api_known, NEW.message -> '$.data.custom_fields.points', points),
    api_id = NEW.message ->> '$.resource.id',
    api_known = NEW.message ->> '$.resource.version'
  WHERE account = NEW.message ->> '$.account' AND api_known < NEW.message ->> '$.resource.version'
    AND (api_id = NEW.message ->> '$.resource.id' OR id = CAST(NEW.message ->> '$.resource.source_id' AS INTEGER));
END;

-- What the API could not read of the product's records: people look here, and correct the row.
CREATE TABLE api_refusals (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL,
  resource TEXT NOT NULL,
  source_id TEXT,
  external_id TEXT,
  revision INTEGER,
  problems TEXT NOT NULL, -- JSON
  stored INTEGER NOT NULL, -- whether the rest of the record was stored
  refused_at TEXT NOT NULL
);
CREATE TRIGGER api_refuse INSTEAD OF INSERT ON api_received WHEN NEW.message ->> '$.type' = 'refusal' BEGIN
  INSERT OR REPLACE INTO api_refusals VALUES (NEW.message ->> '$.id', NEW.message ->> '$.account', NEW.message ->> '$.resource',
    NEW.message ->> '$.source_id', NEW.message ->> '$.external_id', NEW.message ->> '$.revision', NEW.message -> '$.problems',
    NEW.message ->> '$.stored', NEW.message ->> '$.timestamp');
END;

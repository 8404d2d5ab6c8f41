-- The example product, for SQLite. docs/adopt.md says how to make it yours.

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
  points TEXT, -- JSON
  UNIQUE (account, email)
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
  purchase INTEGER REFERENCES orders ON DELETE SET NULL,
  email TEXT,
  event TEXT NOT NULL,
  starts_at TEXT NOT NULL,
  timezone TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'confirmed',
  price INTEGER NOT NULL,
  registered_at TEXT NOT NULL
);

-- From here on it is for the API. The names of tables and columns in it are yours: in ALTER TABLE, in api_records and in the triggers.
ALTER TABLE contacts ADD COLUMN api_id TEXT;
ALTER TABLE contacts ADD COLUMN api_known INTEGER NOT NULL DEFAULT 0;
ALTER TABLE contacts ADD COLUMN api_revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE contacts ADD COLUMN api_first_revision INTEGER; -- of a row that came back after its record was deleted
CREATE UNIQUE INDEX contacts_api_id ON contacts (api_id);
ALTER TABLE orders ADD COLUMN api_revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tickets ADD COLUMN api_revision INTEGER NOT NULL DEFAULT 1;

-- Each row as the API states it.
CREATE VIEW api_records AS
SELECT 'contacts' AS resource, id AS source_id, account, api_id, api_revision AS revision, json_object(
  'source_id', CAST(id AS TEXT), 'id', api_id, 'known_version', api_known, 'revision', api_revision, 'left_out', 'keep',
  'email', email, 'first_name', first_name, 'last_name', last_name, 'phone', phone,
  'address', json_object('city', city), 'tags', json(tags), 'note', note,
  'custom_fields', json_object('points', json(points))) AS record
FROM contacts
UNION ALL
SELECT 'orders', id, account, NULL, api_revision, json_object(
  'source_id', CAST(id AS TEXT), 'revision', api_revision,
  'number', CAST(id AS TEXT), 'contact_source_id', CAST(contact AS TEXT), 'customer', json_object('email', email),
  'status', status, 'payment_status', payment_status, 'fulfillment_status', 'not_required',
  'currency', 'EUR', 'subtotal_amount', price, 'total_amount', price,
  'line_items', json_array(json_object('id', '1', 'type', 'product', 'name', item, 'quantity', 1,
    'unit_amount', price, 'total_amount', price)),
  'placed_at', placed_at)
FROM orders
UNION ALL
SELECT 'event-registrations', id, account, NULL, api_revision, json_object(
  'source_id', CAST(id AS TEXT), 'revision', api_revision,
  'event', json_object('id', event, 'name', event, 'starts_at', starts_at, 'timezone', timezone),
  'contact_source_id', CAST(contact AS TEXT), 'order_source_id', CAST(purchase AS TEXT), 'attendee', json_object('email', email),
  'ticket', json_object('type_id', 'regular', 'type_name', 'Regular', 'price_amount', price, 'currency', 'EUR'),
  'status', status, 'registered_at', registered_at)
FROM tickets;

-- What the API knows of each row.
CREATE VIEW api_rows AS SELECT resource, source_id, account, api_id, revision FROM api_records;

-- The rows whose state has yet to be sent, those with the fewest failures first. Of a row that is gone, `gone` is the message. A relay that
-- has claimed rows sends them; if it dies, another one does when the claim has passed.
CREATE TABLE api_outbox (
  resource TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  gone TEXT,
  claim TEXT,
  claimed_until INTEGER NOT NULL DEFAULT 0,
  at TEXT NOT NULL DEFAULT current_timestamp,
  PRIMARY KEY (resource, source_id)
);

CREATE INDEX api_outbox_next ON api_outbox (failures, claimed_until);

-- The ids of deleted contacts: a late message must not make a row of one again. Delete those older than 14 days now and then.
CREATE TABLE api_gone (api_id TEXT PRIMARY KEY, at TEXT NOT NULL DEFAULT current_timestamp);

-- To merge a contact into another, insert both here, and then delete the first.
CREATE TABLE api_merged (source_id INTEGER PRIMARY KEY, into_id INTEGER NOT NULL);

-- What people have to look at: values of ours that the API rejected, values of clients that our database rejects, and messages that failed.
-- A rejected field is not sent while the row still has `ours`, so the client's value stays in the API. Rows end when what they say is mended.
CREATE TABLE api_refusals (id TEXT PRIMARY KEY, account TEXT, resource TEXT, source_id TEXT, revision INTEGER, problems TEXT, stored INTEGER,
  refused_at TEXT);
CREATE TABLE api_rejected_values (account TEXT, api_id TEXT, field TEXT, value TEXT, ours TEXT, reason TEXT, at TEXT DEFAULT current_timestamp,
  PRIMARY KEY (api_id, field));
CREATE TABLE api_failed_messages (id TEXT PRIMARY KEY, account TEXT, message TEXT, reason TEXT, at TEXT DEFAULT current_timestamp);

-- How far this database has come, as the API knows it: `confirmed` is the last beat that both have, and `pending` the next one. After a
-- restore from a backup the two differ.
CREATE TABLE api_progress (database_id TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(16)))), confirmed TEXT, pending TEXT);
INSERT INTO api_progress (confirmed) VALUES (NULL);

-- A change and its place in the outbox are one transaction. Only the consumer raises api_known, and what it writes is not sent back.
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
CREATE TRIGGER tickets_changed AFTER UPDATE OF contact, purchase, email, event, starts_at, timezone, status, price, registered_at ON tickets BEGIN
  UPDATE tickets SET api_revision = api_revision + 1 WHERE id = NEW.id;
  INSERT INTO api_outbox (resource, source_id, revision) VALUES ('event-registrations', NEW.id, NEW.api_revision + 1)
    ON CONFLICT DO UPDATE SET revision = excluded.revision, failures = 0;
END;

-- A row that is deleted is told once, and not back to the API when that has deleted it.
CREATE TRIGGER contacts_deleted BEFORE DELETE ON contacts BEGIN
  DELETE FROM api_outbox WHERE resource = 'contacts' AND source_id = OLD.id;
  INSERT INTO api_outbox (resource, source_id, revision, gone)
    SELECT resource, source_id, revision + 1, json_object('account', account, 'resource', resource, 'deleted', json_object(
      'source_id', CAST(source_id AS TEXT), 'id', api_id, 'revision', revision + 1,
      'merged_into', (SELECT json_object('source_id', CAST(into_id AS TEXT)) FROM api_merged WHERE source_id = OLD.id)))
    FROM api_records WHERE resource = 'contacts' AND source_id = OLD.id
      AND NOT EXISTS (SELECT 1 FROM api_gone WHERE api_id = OLD.api_id);
  INSERT INTO api_gone (api_id) SELECT OLD.api_id WHERE OLD.api_id IS NOT NULL ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER orders_deleted BEFORE DELETE ON orders BEGIN
  DELETE FROM api_outbox WHERE resource = 'orders' AND source_id = OLD.id;
  INSERT INTO api_outbox (resource, source_id, revision, gone)
    SELECT resource, source_id, revision + 1, json_object('account', account, 'resource', resource, 'deleted', json_object(
      'source_id', CAST(source_id AS TEXT), 'revision', revision + 1))
    FROM api_records WHERE resource = 'orders' AND source_id = OLD.id;
END;
CREATE TRIGGER tickets_deleted BEFORE DELETE ON tickets BEGIN
  DELETE FROM api_outbox WHERE resource = 'event-registrations' AND source_id = OLD.id;
  INSERT INTO api_outbox (resource, source_id, revision, gone)
    SELECT resource, source_id, revision + 1, json_object('account', account, 'resource', resource, 'deleted', json_object(
      'source_id', CAST(source_id AS TEXT), 'revision', revision + 1))
    FROM api_records WHERE resource = 'event-registrations' AND source_id = OLD.id;
END;

-- A table for the resource `tickets` that docs/package.md declares. tickets.txt is its mapping.
CREATE TABLE support_tickets (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations,
  person_id bigint REFERENCES people ON DELETE SET NULL,
  title text NOT NULL DEFAULT '',
  is_closed boolean NOT NULL DEFAULT false,
  priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('low', 'normal', 'high')),
  currency char(3),
  price_cents bigint NOT NULL DEFAULT 0,
  floor text,
  opened_at timestamptz
);
CREATE INDEX ON support_tickets (person_id);

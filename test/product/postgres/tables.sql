-- The tables of the example app for PostgreSQL, as they were before it had an API. mapping.txt says what its clients see of them.
CREATE TABLE organizations (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, slug text NOT NULL UNIQUE);

CREATE TABLE people (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations,
  given_name text,
  family_name text,
  phone text,
  city text,
  labels text[] NOT NULL DEFAULT '{}',
  remarks text NOT NULL DEFAULT '',
  points integer CHECK (points >= 0),
  last_seen_at timestamptz,
  deleted_at timestamptz
);
CREATE TABLE emails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations,
  person_id bigint NOT NULL REFERENCES people ON DELETE CASCADE,
  address text NOT NULL,
  is_primary boolean NOT NULL DEFAULT true
);
CREATE UNIQUE INDEX ON emails (organization_id, lower(address));
CREATE UNIQUE INDEX ON emails (person_id) WHERE is_primary;

-- A sale in the state `cart` is not placed yet.
CREATE TABLE sales (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations,
  person_id bigint REFERENCES people ON DELETE SET NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('cart', 'open', 'paid', 'void')),
  currency char(3) NOT NULL DEFAULT 'EUR',
  shipping numeric(12,2) NOT NULL DEFAULT 0,
  placed_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX ON sales (person_id);
CREATE TABLE sale_lines (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sale_id bigint NOT NULL REFERENCES sales ON DELETE CASCADE,
  title text NOT NULL,
  quantity integer NOT NULL DEFAULT 1,
  unit_price numeric(12,2) NOT NULL
);
CREATE INDEX ON sale_lines (sale_id);

CREATE TABLE shows (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organizations,
  title text NOT NULL,
  starts_at timestamptz NOT NULL,
  timezone text NOT NULL DEFAULT 'Europe/Berlin'
);
CREATE TABLE tickets (
  ticket_no uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  show_id bigint NOT NULL REFERENCES shows,
  person_id bigint REFERENCES people ON DELETE SET NULL,
  category text NOT NULL DEFAULT 'Stalls',
  price numeric(12,2) NOT NULL DEFAULT 0,
  is_returned boolean NOT NULL DEFAULT false,
  booked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON tickets (show_id);
CREATE INDEX ON tickets (person_id);

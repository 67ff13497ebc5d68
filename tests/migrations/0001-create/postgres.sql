-- Written by `restwell generate`, and yours from then on: change it before it has run anywhere, never after.
-- PostgreSQL runs statements in one transaction, but for those that are marked as running alone.
-- Restwell's own tables are not among these: the program makes them in a new database.

CREATE TABLE "bookmarks" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "keeper_id" uuid,
  "notebook_id" uuid NOT NULL,
  CONSTRAINT "bookmarks.pk" PRIMARY KEY ("id")
);
CREATE TABLE "keepers" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "email" text COLLATE "C",
  CONSTRAINT "keepers.pk" PRIMARY KEY ("id")
);
CREATE TABLE "loans" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "specimen_id" uuid NOT NULL,
  "borrower" text COLLATE "C",
  CONSTRAINT "loans.pk" PRIMARY KEY ("id")
);
CREATE TABLE "notebooks" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "keeper_id" uuid NOT NULL,
  "title" text COLLATE "C" NOT NULL,
  CONSTRAINT "notebooks.pk" PRIMARY KEY ("id")
);
CREATE TABLE "photos" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "specimen_id" uuid NOT NULL,
  "caption" text COLLATE "C",
  CONSTRAINT "photos.pk" PRIMARY KEY ("id")
);
CREATE TABLE "specimens" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "note" text COLLATE "C",
  "code" text COLLATE "C",
  "email" text COLLATE "C",
  "link" text COLLATE "C",
  "size" bigint,
  "serial" bigint,
  "ratio" double precision,
  "measure" double precision,
  "weight" bigint,
  "share" bigint,
  "fragile" boolean,
  "batch" uuid,
  "found_at" bigint,
  "examined_at" bigint,
  "found_on" bigint,
  "best_before" bigint,
  "feeding_time" bigint,
  "lifespan" text COLLATE "C",
  "country_code" text COLLATE "C",
  "language" text COLLATE "C",
  "currency" text COLLATE "C",
  "value_amount" bigint,
  "value_currency" text COLLATE "C",
  "insurance_amount" bigint,
  "insurance_currency" text COLLATE "C",
  "kind" text COLLATE "C",
  "colour" text COLLATE "C",
  "keeper_id" uuid,
  "tag_id" uuid,
  "storage_shelf" text COLLATE "C" NOT NULL,
  "storage_box" bigint DEFAULT 1,
  "origin" boolean,
  "origin_place" text COLLATE "C",
  "origin_depth" bigint,
  "origin_site" boolean,
  "origin_site_name" text COLLATE "C",
  "origin_site_finder_id" uuid,
  "readings" text COLLATE "C" NOT NULL DEFAULT '[]',
  "samples" text COLLATE "C" NOT NULL DEFAULT '[]',
  "labels" text COLLATE "C" NOT NULL DEFAULT '[]',
  "colours" text COLLATE "C" NOT NULL DEFAULT '[]',
  "bids" text COLLATE "C" NOT NULL DEFAULT '[]',
  "related_tags" text COLLATE "C" NOT NULL DEFAULT '[]',
  "parts" text COLLATE "C" NOT NULL DEFAULT '[]',
  "first_examination" boolean,
  "first_examination_name" text COLLATE "C",
  "first_examination_code" text COLLATE "C",
  "first_examination_email" text COLLATE "C",
  "first_examination_link" text COLLATE "C",
  "first_examination_size" bigint,
  "first_examination_ratio" double precision,
  "first_examination_weight" bigint,
  "first_examination_examined_at" bigint,
  "first_examination_best_before" bigint,
  "first_examination_insurance_amount" bigint,
  "first_examination_insurance_currency" text COLLATE "C",
  "first_examination_labels" text COLLATE "C" DEFAULT '[]',
  "first_examination_samples" text COLLATE "C" DEFAULT '[]',
  "first_examination_kind" text COLLATE "C",
  "examinations" text COLLATE "C" NOT NULL DEFAULT '[]',
  "registry_number" text COLLATE "C",
  "collection" text COLLATE "C" NOT NULL DEFAULT 'MAIN',
  "status" text COLLATE "C" DEFAULT 'KEPT',
  "archived_at" bigint,
  "passphrase" text COLLATE "C",
  "hint" text COLLATE "C",
  "grade" bigint DEFAULT 3,
  "unit" text COLLATE "C" DEFAULT 'CM',
  "fee_amount" bigint DEFAULT 500,
  "fee_currency" text COLLATE "C" DEFAULT 'PLN',
  "drawer" text COLLATE "C",
  "position" bigint,
  "cost_centre" text COLLATE "C",
  "ticket" bigint,
  "cost_price_amount" bigint,
  "cost_price_currency" text COLLATE "C",
  "habitat" text COLLATE "C",
  "legacy_code" text COLLATE "C",
  CONSTRAINT "specimens.pk" PRIMARY KEY ("id")
);
CREATE TABLE "stock_entries" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "quantity" bigint NOT NULL,
  "comment" text COLLATE "C",
  CONSTRAINT "stock_entries.pk" PRIMARY KEY ("id")
);
CREATE TABLE "tags" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  CONSTRAINT "tags.pk" PRIMARY KEY ("id")
);
CREATE TABLE "visits" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "specimen_id" uuid,
  "visitor" text COLLATE "C",
  CONSTRAINT "visits.pk" PRIMARY KEY ("id")
);
CREATE TABLE "specimens__related_tags" (
  "entity_id" uuid NOT NULL,
  "target_id" uuid NOT NULL,
  CONSTRAINT "specimens__related_tags.pk" PRIMARY KEY ("entity_id", "target_id")
);
ALTER TABLE "bookmarks" ADD CONSTRAINT "bookmarks.keeper_id.fk" FOREIGN KEY ("keeper_id") REFERENCES "keepers" ("id") ON DELETE CASCADE;
ALTER TABLE "bookmarks" ADD CONSTRAINT "bookmarks.notebook_id.fk" FOREIGN KEY ("notebook_id") REFERENCES "notebooks" ("id") ON DELETE CASCADE;
ALTER TABLE "loans" ADD CONSTRAINT "loans.specimen_id.fk" FOREIGN KEY ("specimen_id") REFERENCES "specimens" ("id");
ALTER TABLE "notebooks" ADD CONSTRAINT "notebooks.keeper_id.fk" FOREIGN KEY ("keeper_id") REFERENCES "keepers" ("id");
ALTER TABLE "photos" ADD CONSTRAINT "photos.specimen_id.fk" FOREIGN KEY ("specimen_id") REFERENCES "specimens" ("id") ON DELETE CASCADE;
ALTER TABLE "specimens" ADD CONSTRAINT "specimens.keeper_id.fk" FOREIGN KEY ("keeper_id") REFERENCES "keepers" ("id");
ALTER TABLE "specimens" ADD CONSTRAINT "specimens.tag_id.fk" FOREIGN KEY ("tag_id") REFERENCES "tags" ("id");
ALTER TABLE "specimens" ADD CONSTRAINT "specimens.origin_site_finder_id.fk" FOREIGN KEY ("origin_site_finder_id") REFERENCES "keepers" ("id");
ALTER TABLE "visits" ADD CONSTRAINT "visits.specimen_id.fk" FOREIGN KEY ("specimen_id") REFERENCES "specimens" ("id") ON DELETE SET NULL;
ALTER TABLE "specimens__related_tags" ADD CONSTRAINT "specimens__related_tags.entity_id.fk" FOREIGN KEY ("entity_id") REFERENCES "specimens" ("id") ON DELETE CASCADE;
ALTER TABLE "specimens__related_tags" ADD CONSTRAINT "specimens__related_tags.target_id.fk" FOREIGN KEY ("target_id") REFERENCES "tags" ("id");
CREATE UNIQUE INDEX "bookmarks.keeper_id.notebook_id.key" ON "bookmarks" ("keeper_id", "notebook_id");
CREATE INDEX "bookmarks.created_at.id.idx" ON "bookmarks" ("created_at", "id");
CREATE INDEX "bookmarks.updated_at.id.idx" ON "bookmarks" ("updated_at", "id");
CREATE INDEX "bookmarks.keeper_id.id.idx" ON "bookmarks" ("keeper_id", "id");
CREATE INDEX "bookmarks.notebook_id.id.idx" ON "bookmarks" ("notebook_id", "id");
CREATE UNIQUE INDEX "keepers.email.key" ON "keepers" ("email");
CREATE INDEX "keepers.created_at.id.idx" ON "keepers" ("created_at", "id");
CREATE INDEX "keepers.updated_at.id.idx" ON "keepers" ("updated_at", "id");
CREATE INDEX "keepers.name.id.idx" ON "keepers" ("name", "id");
CREATE INDEX "loans.created_at.id.idx" ON "loans" ("created_at", "id");
CREATE INDEX "loans.updated_at.id.idx" ON "loans" ("updated_at", "id");
CREATE INDEX "loans.specimen_id.id.idx" ON "loans" ("specimen_id", "id");
CREATE INDEX "notebooks.created_at.id.idx" ON "notebooks" ("created_at", "id");
CREATE INDEX "notebooks.updated_at.id.idx" ON "notebooks" ("updated_at", "id");
CREATE INDEX "notebooks.keeper_id.id.idx" ON "notebooks" ("keeper_id", "id");
CREATE INDEX "notebooks.title.id.idx" ON "notebooks" ("title", "id");
CREATE INDEX "photos.created_at.id.idx" ON "photos" ("created_at", "id");
CREATE INDEX "photos.updated_at.id.idx" ON "photos" ("updated_at", "id");
CREATE INDEX "photos.specimen_id.id.idx" ON "photos" ("specimen_id", "id");
CREATE UNIQUE INDEX "specimens.code.key" ON "specimens" ("code");
CREATE UNIQUE INDEX "specimens.drawer.position.key" ON "specimens" ("drawer", "position");
CREATE UNIQUE INDEX "specimens.cost_centre.ticket.key" ON "specimens" ("cost_centre", "ticket");
CREATE INDEX "specimens.created_at.id.idx" ON "specimens" ("created_at", "id");
CREATE INDEX "specimens.updated_at.id.idx" ON "specimens" ("updated_at", "id");
CREATE INDEX "specimens.name.id.idx" ON "specimens" ("name", "id");
CREATE INDEX "specimens.note.id.idx" ON "specimens" ("note", "id");
CREATE INDEX "specimens.size.id.idx" ON "specimens" ("size", "id");
CREATE INDEX "specimens.ratio.id.idx" ON "specimens" ("ratio", "id");
CREATE INDEX "specimens.weight.id.idx" ON "specimens" ("weight", "id");
CREATE INDEX "specimens.fragile.id.idx" ON "specimens" ("fragile", "id");
CREATE INDEX "specimens.batch.id.idx" ON "specimens" ("batch", "id");
CREATE INDEX "specimens.found_at.id.idx" ON "specimens" ("found_at", "id");
CREATE INDEX "specimens.found_on.id.idx" ON "specimens" ("found_on", "id");
CREATE INDEX "specimens.feeding_time.id.idx" ON "specimens" ("feeding_time", "id");
CREATE INDEX "specimens.lifespan.id.idx" ON "specimens" ("lifespan", "id");
CREATE INDEX "specimens.country_code.id.idx" ON "specimens" ("country_code", "id");
CREATE INDEX "specimens.language.id.idx" ON "specimens" ("language", "id");
CREATE INDEX "specimens.currency.id.idx" ON "specimens" ("currency", "id");
CREATE INDEX "specimens.value_amount.id.idx" ON "specimens" ("value_amount", "id");
CREATE INDEX "specimens.value_currency.id.idx" ON "specimens" ("value_currency", "id");
CREATE INDEX "specimens.kind.id.idx" ON "specimens" ("kind", "id");
CREATE INDEX "specimens.colour.id.idx" ON "specimens" ("colour", "id");
CREATE INDEX "specimens.keeper_id.id.idx" ON "specimens" ("keeper_id", "id");
CREATE INDEX "specimens.tag_id.id.idx" ON "specimens" ("tag_id", "id");
CREATE INDEX "specimens.storage_shelf.id.idx" ON "specimens" ("storage_shelf", "id");
CREATE INDEX "specimens.storage_box.id.idx" ON "specimens" ("storage_box", "id");
CREATE INDEX "specimens.origin_place.id.idx" ON "specimens" ("origin_place", "id");
CREATE INDEX "specimens.origin_site_name.id.idx" ON "specimens" ("origin_site_name", "id");
CREATE INDEX "specimens.origin_site_finder_id.id.idx" ON "specimens" ("origin_site_finder_id", "id");
CREATE INDEX "specimens.registry_number.id.idx" ON "specimens" ("registry_number", "id");
CREATE INDEX "specimens.status.id.idx" ON "specimens" ("status", "id");
CREATE INDEX "specimens.cost_price_amount.id.idx" ON "specimens" ("cost_price_amount", "id");
CREATE INDEX "specimens.cost_price_currency.id.idx" ON "specimens" ("cost_price_currency", "id");
CREATE INDEX "specimens.habitat.id.idx" ON "specimens" ("habitat", "id");
CREATE INDEX "specimens.legacy_code.id.idx" ON "specimens" ("legacy_code", "id");
CREATE INDEX "stock_entries.created_at.id.idx" ON "stock_entries" ("created_at", "id");
CREATE INDEX "stock_entries.updated_at.id.idx" ON "stock_entries" ("updated_at", "id");
CREATE INDEX "stock_entries.quantity.id.idx" ON "stock_entries" ("quantity", "id");
CREATE UNIQUE INDEX "tags.name.key" ON "tags" ("name");
CREATE INDEX "tags.created_at.id.idx" ON "tags" ("created_at", "id");
CREATE INDEX "tags.updated_at.id.idx" ON "tags" ("updated_at", "id");
CREATE INDEX "visits.created_at.id.idx" ON "visits" ("created_at", "id");
CREATE INDEX "visits.updated_at.id.idx" ON "visits" ("updated_at", "id");
CREATE INDEX "visits.specimen_id.id.idx" ON "visits" ("specimen_id", "id");
CREATE INDEX "specimens__related_tags.target_id.idx" ON "specimens__related_tags" ("target_id");

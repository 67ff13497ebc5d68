-- Written by `restwell generate`, and yours from then on: change it before it has run anywhere, never after.
-- SQLite runs all of it in one transaction.
-- Restwell's own tables are not among these: the program makes them in a new database.

CREATE TABLE "bookmarks" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "keeper_id" BLOB REFERENCES "keepers" ("id") ON DELETE CASCADE,
  "notebook_id" BLOB NOT NULL REFERENCES "notebooks" ("id") ON DELETE CASCADE,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "keepers" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "email" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "loans" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "specimen_id" BLOB NOT NULL REFERENCES "specimens" ("id"),
  "borrower" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "notebooks" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "keeper_id" BLOB NOT NULL REFERENCES "keepers" ("id"),
  "title" TEXT NOT NULL,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "photos" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "specimen_id" BLOB NOT NULL REFERENCES "specimens" ("id") ON DELETE CASCADE,
  "caption" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "specimens" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "note" TEXT,
  "code" TEXT,
  "email" TEXT,
  "link" TEXT,
  "size" INTEGER,
  "serial" INTEGER,
  "ratio" REAL,
  "measure" REAL,
  "weight" INTEGER,
  "share" INTEGER,
  "fragile" INTEGER,
  "batch" BLOB,
  "found_at" INTEGER,
  "examined_at" INTEGER,
  "found_on" INTEGER,
  "best_before" INTEGER,
  "feeding_time" INTEGER,
  "lifespan" TEXT,
  "country_code" TEXT,
  "language" TEXT,
  "currency" TEXT,
  "value_amount" INTEGER,
  "value_currency" TEXT,
  "insurance_amount" INTEGER,
  "insurance_currency" TEXT,
  "kind" TEXT,
  "colour" TEXT,
  "keeper_id" BLOB REFERENCES "keepers" ("id"),
  "tag_id" BLOB REFERENCES "tags" ("id"),
  "storage_shelf" TEXT NOT NULL,
  "storage_box" INTEGER,
  "origin" INTEGER,
  "origin_place" TEXT,
  "origin_depth" INTEGER,
  "origin_site" INTEGER,
  "origin_site_name" TEXT,
  "origin_site_finder_id" BLOB REFERENCES "keepers" ("id"),
  "readings" TEXT NOT NULL,
  "samples" TEXT NOT NULL,
  "labels" TEXT NOT NULL,
  "colours" TEXT NOT NULL,
  "bids" TEXT NOT NULL,
  "related_tags" TEXT NOT NULL,
  "parts" TEXT NOT NULL,
  "first_examination" INTEGER,
  "first_examination_name" TEXT,
  "first_examination_code" TEXT,
  "first_examination_email" TEXT,
  "first_examination_link" TEXT,
  "first_examination_size" INTEGER,
  "first_examination_ratio" REAL,
  "first_examination_weight" INTEGER,
  "first_examination_examined_at" INTEGER,
  "first_examination_best_before" INTEGER,
  "first_examination_insurance_amount" INTEGER,
  "first_examination_insurance_currency" TEXT,
  "first_examination_labels" TEXT,
  "first_examination_samples" TEXT,
  "first_examination_kind" TEXT,
  "examinations" TEXT NOT NULL,
  "registry_number" TEXT,
  "collection" TEXT NOT NULL,
  "status" TEXT,
  "archived_at" INTEGER,
  "passphrase" TEXT,
  "hint" TEXT,
  "grade" INTEGER,
  "unit" TEXT,
  "fee_amount" INTEGER,
  "fee_currency" TEXT,
  "drawer" TEXT,
  "position" INTEGER,
  "cost_centre" TEXT,
  "ticket" INTEGER,
  "cost_price_amount" INTEGER,
  "cost_price_currency" TEXT,
  "habitat" TEXT,
  "legacy_code" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "stock_entries" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "quantity" INTEGER NOT NULL,
  "comment" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "tags" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "visits" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "specimen_id" BLOB REFERENCES "specimens" ("id") ON DELETE SET NULL,
  "visitor" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "specimens__related_tags" (
  "entity_id" BLOB NOT NULL REFERENCES "specimens" ("id") ON DELETE CASCADE,
  "target_id" BLOB NOT NULL REFERENCES "tags" ("id"),
  PRIMARY KEY ("entity_id", "target_id")
) STRICT;
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

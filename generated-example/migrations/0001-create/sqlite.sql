-- Written by `restwell generate`, and yours from then on: change it before it has run anywhere, never after.
-- SQLite runs all of it in one transaction.
-- Restwell's own tables are not among these: the program makes them in a new database.

CREATE TABLE "application_configurations" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "platform" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  "enabled" INTEGER,
  "rollout_share" REAL,
  "caching_time" TEXT,
  "country_code" TEXT,
  "currency" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "contests" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "organizer_id" BLOB NOT NULL REFERENCES "users" ("id"),
  "winner_id" BLOB REFERENCES "users" ("id") ON DELETE SET NULL,
  "task" TEXT NOT NULL,
  "starting_at" INTEGER NOT NULL,
  "duration" TEXT NOT NULL,
  "status" TEXT,
  "prizes" TEXT NOT NULL,
  "languages" TEXT NOT NULL,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "general_deliveries" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "shipment_id" BLOB NOT NULL REFERENCES "shipments" ("id") ON DELETE CASCADE,
  "recipient_id" BLOB NOT NULL REFERENCES "users" ("id"),
  "post_office_name" TEXT NOT NULL,
  "post_office_address_street" TEXT,
  "post_office_address_city" TEXT NOT NULL,
  "post_office_address_postal_code" TEXT,
  "post_office_address_country_code" TEXT NOT NULL,
  "post_office_opening_hours" TEXT NOT NULL,
  "stored_until" INTEGER NOT NULL,
  "status" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "offers" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "description" TEXT,
  "seller_id" BLOB NOT NULL REFERENCES "users" ("id"),
  "product_id" BLOB REFERENCES "products" ("id") ON DELETE SET NULL,
  "category" TEXT,
  "buy_now_amount" INTEGER NOT NULL,
  "buy_now_currency" TEXT NOT NULL,
  "stock" INTEGER,
  "colour" TEXT,
  "status" TEXT,
  "ending_at" INTEGER,
  "address_street" TEXT,
  "address_city" TEXT NOT NULL,
  "address_postal_code" TEXT,
  "address_country_code" TEXT NOT NULL,
  "images" TEXT NOT NULL,
  "shipping_options" TEXT NOT NULL,
  "condition" TEXT,
  "cost_price_amount" INTEGER,
  "cost_price_currency" TEXT,
  "stock_keeping_unit" TEXT,
  "note" TEXT,
  "catalogue_number" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "payments" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "transaction_id" BLOB NOT NULL REFERENCES "transactions" ("id"),
  "payer_id" BLOB NOT NULL REFERENCES "users" ("id"),
  "amount_amount" INTEGER NOT NULL,
  "amount_currency" TEXT NOT NULL,
  "method" TEXT NOT NULL,
  "status" TEXT,
  "paid_at" INTEGER,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "products" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "brand" TEXT,
  "category" TEXT NOT NULL,
  "gtin" TEXT,
  "weight" INTEGER,
  "rating" REAL,
  "released_on" INTEGER,
  "parameter_groups" TEXT NOT NULL,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "shipments" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "offer_id" BLOB NOT NULL REFERENCES "offers" ("id"),
  "sender_id" BLOB NOT NULL REFERENCES "users" ("id"),
  "transaction_id" BLOB REFERENCES "transactions" ("id") ON DELETE SET NULL,
  "recipient_name" TEXT NOT NULL,
  "recipient_email" TEXT,
  "recipient_phone" TEXT,
  "address_street" TEXT,
  "address_city" TEXT NOT NULL,
  "address_postal_code" TEXT,
  "address_country_code" TEXT NOT NULL,
  "weight" INTEGER,
  "insured_value_amount" INTEGER,
  "insured_value_currency" TEXT,
  "status" TEXT,
  "dispatched_at" INTEGER,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "transactions" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "offer_id" BLOB NOT NULL REFERENCES "offers" ("id"),
  "buyer_id" BLOB NOT NULL REFERENCES "users" ("id"),
  "quantity" INTEGER NOT NULL,
  "total_amount_amount" INTEGER NOT NULL,
  "total_amount_currency" TEXT NOT NULL,
  "status" TEXT,
  "message" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "users" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "password" TEXT,
  "kind" TEXT,
  "status" TEXT,
  "birth_date" INTEGER,
  "language" TEXT,
  "address" INTEGER,
  "address_street" TEXT,
  "address_city" TEXT,
  "address_postal_code" TEXT,
  "address_country_code" TEXT,
  "newsletter" INTEGER,
  PRIMARY KEY ("id")
) STRICT;
CREATE TABLE "watches" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "user_id" BLOB NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
  "offer_id" BLOB NOT NULL REFERENCES "offers" ("id") ON DELETE CASCADE,
  "price_alert_amount" INTEGER,
  "price_alert_currency" TEXT,
  PRIMARY KEY ("id")
) STRICT;
CREATE UNIQUE INDEX "application_configurations.platform.name.key" ON "application_configurations" ("platform", "name");
CREATE INDEX "application_configurations.created_at.id.idx" ON "application_configurations" ("created_at", "id");
CREATE INDEX "application_configurations.updated_at.id.idx" ON "application_configurations" ("updated_at", "id");
CREATE INDEX "application_configurations.platform.id.idx" ON "application_configurations" ("platform", "id");
CREATE INDEX "application_configurations.name.id.idx" ON "application_configurations" ("name", "id");
CREATE INDEX "application_configurations.enabled.id.idx" ON "application_configurations" ("enabled", "id");
CREATE INDEX "application_configurations.country_code.id.idx" ON "application_configurations" ("country_code", "id");
CREATE UNIQUE INDEX "contests.name.key" ON "contests" ("name");
CREATE INDEX "contests.created_at.id.idx" ON "contests" ("created_at", "id");
CREATE INDEX "contests.updated_at.id.idx" ON "contests" ("updated_at", "id");
CREATE INDEX "contests.organizer_id.id.idx" ON "contests" ("organizer_id", "id");
CREATE INDEX "contests.winner_id.id.idx" ON "contests" ("winner_id", "id");
CREATE INDEX "contests.starting_at.id.idx" ON "contests" ("starting_at", "id");
CREATE INDEX "contests.status.id.idx" ON "contests" ("status", "id");
CREATE UNIQUE INDEX "general_deliveries.shipment_id.key" ON "general_deliveries" ("shipment_id");
CREATE INDEX "general_deliveries.created_at.id.idx" ON "general_deliveries" ("created_at", "id");
CREATE INDEX "general_deliveries.updated_at.id.idx" ON "general_deliveries" ("updated_at", "id");
CREATE INDEX "general_deliveries.recipient_id.id.idx" ON "general_deliveries" ("recipient_id", "id");
CREATE INDEX "general_deliveries.post_office_address_city.id.idx" ON "general_deliveries" ("post_office_address_city", "id");
CREATE INDEX "general_deliveries.post_office_address_postal_code.id.idx" ON "general_deliveries" ("post_office_address_postal_code", "id");
CREATE INDEX "general_deliveries.post_office_address_country_code.id.idx" ON "general_deliveries" ("post_office_address_country_code", "id");
CREATE INDEX "general_deliveries.stored_until.id.idx" ON "general_deliveries" ("stored_until", "id");
CREATE INDEX "general_deliveries.status.id.idx" ON "general_deliveries" ("status", "id");
CREATE INDEX "offers.created_at.id.idx" ON "offers" ("created_at", "id");
CREATE INDEX "offers.updated_at.id.idx" ON "offers" ("updated_at", "id");
CREATE INDEX "offers.name.id.idx" ON "offers" ("name", "id");
CREATE INDEX "offers.seller_id.id.idx" ON "offers" ("seller_id", "id");
CREATE INDEX "offers.product_id.id.idx" ON "offers" ("product_id", "id");
CREATE INDEX "offers.category.id.idx" ON "offers" ("category", "id");
CREATE INDEX "offers.buy_now_amount.id.idx" ON "offers" ("buy_now_amount", "id");
CREATE INDEX "offers.buy_now_currency.id.idx" ON "offers" ("buy_now_currency", "id");
CREATE INDEX "offers.stock.id.idx" ON "offers" ("stock", "id");
CREATE INDEX "offers.colour.id.idx" ON "offers" ("colour", "id");
CREATE INDEX "offers.status.id.idx" ON "offers" ("status", "id");
CREATE INDEX "offers.ending_at.id.idx" ON "offers" ("ending_at", "id");
CREATE INDEX "offers.address_city.id.idx" ON "offers" ("address_city", "id");
CREATE INDEX "offers.address_postal_code.id.idx" ON "offers" ("address_postal_code", "id");
CREATE INDEX "offers.address_country_code.id.idx" ON "offers" ("address_country_code", "id");
CREATE INDEX "offers.condition.id.idx" ON "offers" ("condition", "id");
CREATE INDEX "offers.cost_price_amount.id.idx" ON "offers" ("cost_price_amount", "id");
CREATE INDEX "offers.cost_price_currency.id.idx" ON "offers" ("cost_price_currency", "id");
CREATE INDEX "offers.stock_keeping_unit.id.idx" ON "offers" ("stock_keeping_unit", "id");
CREATE INDEX "offers.catalogue_number.id.idx" ON "offers" ("catalogue_number", "id");
CREATE INDEX "payments.created_at.id.idx" ON "payments" ("created_at", "id");
CREATE INDEX "payments.updated_at.id.idx" ON "payments" ("updated_at", "id");
CREATE INDEX "payments.transaction_id.id.idx" ON "payments" ("transaction_id", "id");
CREATE INDEX "payments.payer_id.id.idx" ON "payments" ("payer_id", "id");
CREATE INDEX "payments.amount_amount.id.idx" ON "payments" ("amount_amount", "id");
CREATE INDEX "payments.amount_currency.id.idx" ON "payments" ("amount_currency", "id");
CREATE INDEX "payments.method.id.idx" ON "payments" ("method", "id");
CREATE INDEX "payments.status.id.idx" ON "payments" ("status", "id");
CREATE INDEX "payments.paid_at.id.idx" ON "payments" ("paid_at", "id");
CREATE UNIQUE INDEX "products.gtin.key" ON "products" ("gtin");
CREATE INDEX "products.created_at.id.idx" ON "products" ("created_at", "id");
CREATE INDEX "products.updated_at.id.idx" ON "products" ("updated_at", "id");
CREATE INDEX "products.name.id.idx" ON "products" ("name", "id");
CREATE INDEX "products.brand.id.idx" ON "products" ("brand", "id");
CREATE INDEX "products.category.id.idx" ON "products" ("category", "id");
CREATE INDEX "products.weight.id.idx" ON "products" ("weight", "id");
CREATE INDEX "products.rating.id.idx" ON "products" ("rating", "id");
CREATE INDEX "products.released_on.id.idx" ON "products" ("released_on", "id");
CREATE INDEX "shipments.created_at.id.idx" ON "shipments" ("created_at", "id");
CREATE INDEX "shipments.updated_at.id.idx" ON "shipments" ("updated_at", "id");
CREATE INDEX "shipments.offer_id.id.idx" ON "shipments" ("offer_id", "id");
CREATE INDEX "shipments.sender_id.id.idx" ON "shipments" ("sender_id", "id");
CREATE INDEX "shipments.transaction_id.id.idx" ON "shipments" ("transaction_id", "id");
CREATE INDEX "shipments.address_city.id.idx" ON "shipments" ("address_city", "id");
CREATE INDEX "shipments.address_postal_code.id.idx" ON "shipments" ("address_postal_code", "id");
CREATE INDEX "shipments.address_country_code.id.idx" ON "shipments" ("address_country_code", "id");
CREATE INDEX "shipments.status.id.idx" ON "shipments" ("status", "id");
CREATE INDEX "shipments.dispatched_at.id.idx" ON "shipments" ("dispatched_at", "id");
CREATE INDEX "transactions.created_at.id.idx" ON "transactions" ("created_at", "id");
CREATE INDEX "transactions.updated_at.id.idx" ON "transactions" ("updated_at", "id");
CREATE INDEX "transactions.offer_id.id.idx" ON "transactions" ("offer_id", "id");
CREATE INDEX "transactions.buyer_id.id.idx" ON "transactions" ("buyer_id", "id");
CREATE INDEX "transactions.total_amount_amount.id.idx" ON "transactions" ("total_amount_amount", "id");
CREATE INDEX "transactions.total_amount_currency.id.idx" ON "transactions" ("total_amount_currency", "id");
CREATE INDEX "transactions.status.id.idx" ON "transactions" ("status", "id");
CREATE UNIQUE INDEX "users.email.key" ON "users" ("email");
CREATE INDEX "users.created_at.id.idx" ON "users" ("created_at", "id");
CREATE INDEX "users.updated_at.id.idx" ON "users" ("updated_at", "id");
CREATE INDEX "users.name.id.idx" ON "users" ("name", "id");
CREATE INDEX "users.kind.id.idx" ON "users" ("kind", "id");
CREATE INDEX "users.status.id.idx" ON "users" ("status", "id");
CREATE INDEX "users.address_city.id.idx" ON "users" ("address_city", "id");
CREATE INDEX "users.address_postal_code.id.idx" ON "users" ("address_postal_code", "id");
CREATE INDEX "users.address_country_code.id.idx" ON "users" ("address_country_code", "id");
CREATE UNIQUE INDEX "watches.user_id.offer_id.key" ON "watches" ("user_id", "offer_id");
CREATE INDEX "watches.created_at.id.idx" ON "watches" ("created_at", "id");
CREATE INDEX "watches.updated_at.id.idx" ON "watches" ("updated_at", "id");
CREATE INDEX "watches.user_id.id.idx" ON "watches" ("user_id", "id");
CREATE INDEX "watches.offer_id.id.idx" ON "watches" ("offer_id", "id");

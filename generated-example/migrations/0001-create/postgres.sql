-- Written by `restwell generate`, and yours from then on: change it before it has run anywhere, never after.
-- PostgreSQL runs statements in one transaction, but for those that are marked as running alone.
-- Restwell's own tables are not among these: the program makes them in a new database.

CREATE TABLE "application_configurations" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "platform" text COLLATE "C" NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "value" text COLLATE "C" NOT NULL,
  "enabled" boolean DEFAULT true,
  "rollout_share" double precision DEFAULT 1.0,
  "caching_time" text COLLATE "C" DEFAULT 'PT1H',
  "country_code" text COLLATE "C",
  "currency" text COLLATE "C",
  CONSTRAINT "application_configurations.pk" PRIMARY KEY ("id")
);
CREATE TABLE "contests" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "organizer_id" uuid NOT NULL,
  "winner_id" uuid,
  "task" text COLLATE "C" NOT NULL,
  "starting_at" bigint NOT NULL,
  "duration" text COLLATE "C" NOT NULL,
  "status" text COLLATE "C" DEFAULT 'OPEN',
  "prizes" text COLLATE "C" NOT NULL DEFAULT '[]',
  "languages" text COLLATE "C" NOT NULL DEFAULT '[]',
  CONSTRAINT "contests.pk" PRIMARY KEY ("id")
);
CREATE TABLE "general_deliveries" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "shipment_id" uuid NOT NULL,
  "recipient_id" uuid NOT NULL,
  "post_office_name" text COLLATE "C" NOT NULL,
  "post_office_address_street" text COLLATE "C",
  "post_office_address_city" text COLLATE "C" NOT NULL,
  "post_office_address_postal_code" text COLLATE "C",
  "post_office_address_country_code" text COLLATE "C" NOT NULL,
  "post_office_opening_hours" text COLLATE "C" NOT NULL DEFAULT '[]',
  "stored_until" bigint NOT NULL,
  "status" text COLLATE "C" DEFAULT 'WAITING',
  CONSTRAINT "general_deliveries.pk" PRIMARY KEY ("id")
);
CREATE TABLE "offers" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "description" text COLLATE "C",
  "seller_id" uuid NOT NULL,
  "product_id" uuid,
  "category" text COLLATE "C",
  "buy_now_amount" bigint NOT NULL,
  "buy_now_currency" text COLLATE "C" NOT NULL,
  "stock" bigint DEFAULT 1,
  "colour" text COLLATE "C",
  "status" text COLLATE "C" DEFAULT 'ACTIVE',
  "ending_at" bigint,
  "address_street" text COLLATE "C",
  "address_city" text COLLATE "C" NOT NULL,
  "address_postal_code" text COLLATE "C",
  "address_country_code" text COLLATE "C" NOT NULL,
  "images" text COLLATE "C" NOT NULL DEFAULT '[]',
  "shipping_options" text COLLATE "C" NOT NULL DEFAULT '[]',
  "condition" text COLLATE "C",
  "cost_price_amount" bigint,
  "cost_price_currency" text COLLATE "C",
  "stock_keeping_unit" text COLLATE "C",
  "note" text COLLATE "C",
  "catalogue_number" text COLLATE "C",
  CONSTRAINT "offers.pk" PRIMARY KEY ("id")
);
CREATE TABLE "payments" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "transaction_id" uuid NOT NULL,
  "payer_id" uuid NOT NULL,
  "amount_amount" bigint NOT NULL,
  "amount_currency" text COLLATE "C" NOT NULL,
  "method" text COLLATE "C" NOT NULL,
  "status" text COLLATE "C" DEFAULT 'STARTED',
  "paid_at" bigint,
  CONSTRAINT "payments.pk" PRIMARY KEY ("id")
);
CREATE TABLE "products" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "brand" text COLLATE "C",
  "category" text COLLATE "C" NOT NULL,
  "gtin" text COLLATE "C",
  "weight" bigint,
  "rating" double precision,
  "released_on" bigint,
  "parameter_groups" text COLLATE "C" NOT NULL DEFAULT '[]',
  CONSTRAINT "products.pk" PRIMARY KEY ("id")
);
CREATE TABLE "shipments" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "offer_id" uuid NOT NULL,
  "sender_id" uuid NOT NULL,
  "transaction_id" uuid,
  "recipient_name" text COLLATE "C" NOT NULL,
  "recipient_email" text COLLATE "C",
  "recipient_phone" text COLLATE "C",
  "address_street" text COLLATE "C",
  "address_city" text COLLATE "C" NOT NULL,
  "address_postal_code" text COLLATE "C",
  "address_country_code" text COLLATE "C" NOT NULL,
  "weight" bigint,
  "insured_value_amount" bigint,
  "insured_value_currency" text COLLATE "C",
  "status" text COLLATE "C" DEFAULT 'PREPARED',
  "dispatched_at" bigint,
  CONSTRAINT "shipments.pk" PRIMARY KEY ("id")
);
CREATE TABLE "transactions" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "offer_id" uuid NOT NULL,
  "buyer_id" uuid NOT NULL,
  "quantity" bigint NOT NULL,
  "total_amount_amount" bigint NOT NULL,
  "total_amount_currency" text COLLATE "C" NOT NULL,
  "status" text COLLATE "C" DEFAULT 'PENDING',
  "message" text COLLATE "C",
  CONSTRAINT "transactions.pk" PRIMARY KEY ("id")
);
CREATE TABLE "users" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "email" text COLLATE "C" NOT NULL,
  "password" text COLLATE "C",
  "kind" text COLLATE "C" DEFAULT 'PRIVATE',
  "status" text COLLATE "C" DEFAULT 'ACTIVE',
  "birth_date" bigint,
  "language" text COLLATE "C" DEFAULT 'pl-PL',
  "address" boolean,
  "address_street" text COLLATE "C",
  "address_city" text COLLATE "C",
  "address_postal_code" text COLLATE "C",
  "address_country_code" text COLLATE "C",
  "newsletter" boolean DEFAULT false,
  CONSTRAINT "users.pk" PRIMARY KEY ("id")
);
CREATE TABLE "watches" (
  "id" uuid NOT NULL,
  "created_at" bigint NOT NULL,
  "updated_at" bigint NOT NULL,
  "user_id" uuid NOT NULL,
  "offer_id" uuid NOT NULL,
  "price_alert_amount" bigint,
  "price_alert_currency" text COLLATE "C",
  CONSTRAINT "watches.pk" PRIMARY KEY ("id")
);
ALTER TABLE "contests" ADD CONSTRAINT "contests.organizer_id.fk" FOREIGN KEY ("organizer_id") REFERENCES "users" ("id");
ALTER TABLE "contests" ADD CONSTRAINT "contests.winner_id.fk" FOREIGN KEY ("winner_id") REFERENCES "users" ("id") ON DELETE SET NULL;
ALTER TABLE "general_deliveries" ADD CONSTRAINT "general_deliveries.shipment_id.fk" FOREIGN KEY ("shipment_id") REFERENCES "shipments" ("id") ON DELETE CASCADE;
ALTER TABLE "general_deliveries" ADD CONSTRAINT "general_deliveries.recipient_id.fk" FOREIGN KEY ("recipient_id") REFERENCES "users" ("id");
ALTER TABLE "offers" ADD CONSTRAINT "offers.seller_id.fk" FOREIGN KEY ("seller_id") REFERENCES "users" ("id");
ALTER TABLE "offers" ADD CONSTRAINT "offers.product_id.fk" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE SET NULL;
ALTER TABLE "payments" ADD CONSTRAINT "payments.transaction_id.fk" FOREIGN KEY ("transaction_id") REFERENCES "transactions" ("id");
ALTER TABLE "payments" ADD CONSTRAINT "payments.payer_id.fk" FOREIGN KEY ("payer_id") REFERENCES "users" ("id");
ALTER TABLE "shipments" ADD CONSTRAINT "shipments.offer_id.fk" FOREIGN KEY ("offer_id") REFERENCES "offers" ("id");
ALTER TABLE "shipments" ADD CONSTRAINT "shipments.sender_id.fk" FOREIGN KEY ("sender_id") REFERENCES "users" ("id");
ALTER TABLE "shipments" ADD CONSTRAINT "shipments.transaction_id.fk" FOREIGN KEY ("transaction_id") REFERENCES "transactions" ("id") ON DELETE SET NULL;
ALTER TABLE "transactions" ADD CONSTRAINT "transactions.offer_id.fk" FOREIGN KEY ("offer_id") REFERENCES "offers" ("id");
ALTER TABLE "transactions" ADD CONSTRAINT "transactions.buyer_id.fk" FOREIGN KEY ("buyer_id") REFERENCES "users" ("id");
ALTER TABLE "watches" ADD CONSTRAINT "watches.user_id.fk" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE;
ALTER TABLE "watches" ADD CONSTRAINT "watches.offer_id.fk" FOREIGN KEY ("offer_id") REFERENCES "offers" ("id") ON DELETE CASCADE;
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

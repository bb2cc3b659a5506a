CREATE TABLE "positions" (
	"courier_id" uuid PRIMARY KEY NOT NULL,
	"lat" double precision NOT NULL,
	"lng" double precision NOT NULL,
	"accuracy" double precision NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "replaced_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_texts" (
	"id" text PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"sender" text NOT NULL,
	"body" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "texts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"package_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"provider_id" text,
	"cost_kobo" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"status_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "texts_event_id_unique" UNIQUE("event_id"),
	CONSTRAINT "texts_provider_id_unique" UNIQUE("provider_id")
);
--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "tracking_token" text;--> statement-breakpoint
ALTER TABLE "packages" ALTER COLUMN "tracking_token" SET DEFAULT substr(translate(encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'base64'), '+/', '-_'), 1, 22);--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "recipient_note" jsonb;--> statement-breakpoint
ALTER TABLE "positions" ADD CONSTRAINT "positions_courier_id_users_id_fk" FOREIGN KEY ("courier_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "texts" ADD CONSTRAINT "texts_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "texts" ADD CONSTRAINT "texts_event_id_package_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."package_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "texts_package_id" ON "texts" USING btree ("package_id");--> statement-breakpoint
CREATE INDEX "texts_due" ON "texts" USING btree ("status","due_at");--> statement-breakpoint
ALTER TABLE "packages" ADD CONSTRAINT "packages_tracking_token_unique" UNIQUE("tracking_token");--> statement-breakpoint
-- Numbers are stored as E.164 from here on (contract/phone). What ended keeps its spelling.
CREATE FUNCTION pg_temp.e164(phone text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN bare ~ '^(\+?234)?0?(?!234)[1-9]\d{9}$' THEN '+234' || right(bare, 10)
    WHEN bare ~ '^\+(?!234)[1-9]\d{7,14}$' THEN bare
    ELSE phone END
  FROM regexp_replace(regexp_replace(replace(phone, '(0)', ''), '[\s().\-/]', '', 'g'), '^00', '+') AS bare
$$;--> statement-breakpoint
-- Phones get these rows again: a new link, and another spelling.
UPDATE packages SET recipient_phone = pg_temp.e164(recipient_phone), tracking_token = DEFAULT
  WHERE status IN ('pending', 'in-transit') AND deleted_at IS NULL;--> statement-breakpoint
UPDATE users SET phone_number = pg_temp.e164(phone_number) WHERE phone_number <> pg_temp.e164(phone_number);

CREATE TABLE "proofs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"package_id" uuid NOT NULL,
	"courier_id" uuid NOT NULL,
	"type" text NOT NULL,
	"digest" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "package_events" ADD COLUMN "proof" jsonb;--> statement-breakpoint
ALTER TABLE "package_events" ADD COLUMN "corrects" uuid;--> statement-breakpoint
ALTER TABLE "package_events" ADD COLUMN "before" jsonb;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "handover" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "verified_by" text;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "dropoff_code" text;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "dropoff_token" text;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "dropoff_token_hash" text;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "return_code" text;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "dropoff_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "return_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "proofs" ADD CONSTRAINT "proofs_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proofs" ADD CONSTRAINT "proofs_courier_id_users_id_fk" FOREIGN KEY ("courier_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "proofs_package_id" ON "proofs" USING btree ("package_id");--> statement-breakpoint
CREATE INDEX "proofs_created_at" ON "proofs" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "package_events_corrects" ON "package_events" USING btree ("corrects");--> statement-breakpoint
ALTER TABLE "packages" ADD CONSTRAINT "packages_handover_known" CHECK ("packages"."handover" in ('none', 'code'));
--> statement-breakpoint
-- Every package has a code for its return: five digits of chance and a check digit (domain/codes).
CREATE FUNCTION pg_temp.with_check_digit(digits text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  rows text[] := ARRAY['0317598642','7092154863','4206871359','1750983426','6123045978',
    '3674209581','5869720134','8945362017','9438617205','2581436790'];
  interim int := 0;
BEGIN
  FOR at IN 1..length(digits) LOOP
    interim := substr(rows[interim + 1], substr(digits, at, 1)::int + 1, 1)::int;
  END LOOP;
  RETURN digits || interim;
END $$;
--> statement-breakpoint
-- gen_random_uuid() is PostgreSQL's only source of strong chance without an extension.
UPDATE packages SET return_code = pg_temp.with_check_digit(
  lpad((('x' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 8))::bit(32)::bigint % 100000)::text, 5, '0'));

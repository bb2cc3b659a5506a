CREATE TABLE "package_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "package_events_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"package_id" uuid NOT NULL,
	"type" text NOT NULL,
	"actor_id" uuid,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"effective_at" timestamp (3) with time zone NOT NULL,
	"time_trust" text DEFAULT 'high' NOT NULL,
	"reason" text,
	"note" text,
	"location" jsonb,
	"fields" jsonb,
	CONSTRAINT "package_events_seq_unique" UNIQUE("seq")
);
--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "progress" text;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "last_attempt" jsonb;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "outcome" text;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "delivered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "package_events" ADD CONSTRAINT "package_events_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_events" ADD CONSTRAINT "package_events_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "package_events_package_id" ON "package_events" USING btree ("package_id","seq");--> statement-breakpoint
-- How far it is was not recorded: what is in transit has been accepted.
UPDATE packages SET progress = 'accepted' WHERE status = 'in-transit';--> statement-breakpoint
UPDATE packages SET delivered_at = coalesce(paid_out_at, updated_at) WHERE status = 'delivered';--> statement-breakpoint
ALTER TABLE "packages" ADD CONSTRAINT "packages_progress_known" CHECK ("packages"."progress" in ('accepted', 'picked_up', 'arrived', 'attempted', 'returning'));
--> statement-breakpoint
-- The past, as far as it is known: who was assigned, and what the ledger says. The time of an end
-- is that of the row's last change.
INSERT INTO package_events (id, package_id, type, actor_id, occurred_at, received_at, effective_at, time_trust)
SELECT gen_random_uuid(), package_id, type, actor_id, at, at, at, trust FROM (
  SELECT id AS package_id, 'created' AS type, sender_id AS actor_id, created_at AS at, 'high' AS trust, 1 AS rank
    FROM packages
  UNION ALL SELECT package_id, 'accepted', courier_id, started_at, 'high', 3 FROM assignments
  UNION ALL SELECT package_id, 'unassigned', NULL, ended_at, 'high', 2 FROM assignments AS ended
    WHERE ended_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM assignments AS next
      WHERE next.package_id = ended.package_id AND next.started_at = ended.ended_at)
  UNION ALL SELECT package_id, CASE kind WHEN 'hold' THEN 'paid' ELSE 'refunded' END, actor_id, created_at, 'high', 4
    FROM transfers WHERE package_id IS NOT NULL AND kind IN ('hold', 'refund')
  UNION ALL SELECT id, status, NULL, CASE status WHEN 'delivered' THEN delivered_at ELSE updated_at END, 'low', 5
    FROM packages WHERE status IN ('delivered', 'cancelled')
) AS known ORDER BY at, rank;--> statement-breakpoint
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this table is append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER package_events_append_only BEFORE UPDATE OR DELETE ON package_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER package_events_no_truncate BEFORE TRUNCATE ON package_events EXECUTE FUNCTION refuse_change();

ALTER TABLE "transfers" DROP CONSTRAINT "transfers_kind_known";--> statement-breakpoint
DROP INDEX "transfers_one_release";--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "payout" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "release_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "paid_out_kobo" bigint;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "dispute" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_one_reversal" ON "transfers" USING btree ("package_id","payout") WHERE kind = 'reversal';--> statement-breakpoint
CREATE INDEX "packages_due" ON "packages" USING btree ("release_at") WHERE release_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_one_release" ON "transfers" USING btree ("package_id","payout") WHERE kind = 'release';--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_kind_known" CHECK ("transfers"."kind" in ('top_up', 'hold', 'release', 'reversal', 'refund', 'adjustment'));
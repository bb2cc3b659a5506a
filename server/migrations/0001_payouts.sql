CREATE TABLE "bank_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"bank_code" text NOT NULL,
	"bank_name" text NOT NULL,
	"account_number" text NOT NULL,
	"account_name" text NOT NULL,
	"recipient_code" text NOT NULL,
	"usable_from" timestamp (3) with time zone NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"reference" text NOT NULL,
	"provider" text NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"fee_kobo" bigint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"reason" text,
	"bank_name" text NOT NULL,
	"account_name" text NOT NULL,
	"account_number_end" text NOT NULL,
	"recipient_code" text NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "payouts_reference_unique" UNIQUE("reference"),
	CONSTRAINT "payouts_status_known" CHECK ("payouts"."status" in ('pending', 'paid', 'returned')),
	CONSTRAINT "payouts_amounts" CHECK ("payouts"."amount_kobo" > 0 and "payouts"."fee_kobo" >= 0),
	CONSTRAINT "payouts_end" CHECK (("payouts"."status" = 'pending') = ("payouts"."ended_at" is null) and ("payouts"."status" = 'returned') = ("payouts"."reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "sandbox_recipients" (
	"code" text PRIMARY KEY NOT NULL,
	"bank_code" text NOT NULL,
	"account_number" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_transfers" (
	"reference" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"recipient_code" text NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"announced" integer DEFAULT 0 NOT NULL,
	"announce_at" timestamp (3) with time zone,
	CONSTRAINT "sandbox_transfers_code_unique" UNIQUE("code")
);
--> statement-breakpoint
ALTER TABLE "entries" DROP CONSTRAINT "entries_account_known";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_kind_known";--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "payout_id" uuid;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_transfers" ADD CONSTRAINT "sandbox_transfers_recipient_code_sandbox_recipients_code_fk" FOREIGN KEY ("recipient_code") REFERENCES "public"."sandbox_recipients"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payouts_user_id" ON "payouts" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "payouts_pending" ON "payouts" USING btree ("created_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "payouts_with_problem" ON "payouts" USING btree ("created_at") WHERE problem is not null;--> statement-breakpoint
CREATE INDEX "payouts_lately_paid" ON "payouts" USING btree ("ended_at") WHERE status = 'paid';--> statement-breakpoint
CREATE INDEX "sandbox_transfers_due" ON "sandbox_transfers" USING btree ("announce_at");--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_one_payout_step" ON "transfers" USING btree ("payout_id","kind") WHERE payout_id is not null;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_account_known" CHECK ("entries"."account" in ('available', 'held', 'provider', 'adjustments', 'payouts'));--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_kind_known" CHECK ("transfers"."kind" in ('top_up', 'hold', 'release', 'reversal', 'settlement', 'refund', 'adjustment', 'payout', 'payout_paid', 'payout_returned'));--> statement-breakpoint
-- Its end changes no wallet when it was paid; the courier's screen shows it all the same.
CREATE TRIGGER payouts_tell AFTER UPDATE OF status ON payouts
  FOR EACH ROW EXECUTE FUNCTION tell_wallet_change();

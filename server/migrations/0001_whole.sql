CREATE TABLE "assignments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "assignments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"package_id" uuid NOT NULL,
	"sender_id" uuid NOT NULL,
	"courier_id" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entries" (
	"transfer_id" uuid NOT NULL,
	"account" text NOT NULL,
	"user_id" uuid,
	"amount_kobo" bigint NOT NULL,
	"available_kobo" bigint,
	"held_kobo" bigint,
	CONSTRAINT "entries_account_known" CHECK ("entries"."account" in ('available', 'held', 'provider', 'adjustments')),
	CONSTRAINT "entries_amount_not_zero" CHECK ("entries"."amount_kobo" <> 0),
	CONSTRAINT "entries_owner" CHECK (("entries"."account" in ('available', 'held')) = ("entries"."user_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_transactions" (
	"reference" text PRIMARY KEY NOT NULL,
	"access_code" text NOT NULL,
	"email" text NOT NULL,
	"amount_kobo" bigint NOT NULL,
	"currency" text NOT NULL,
	"callback_url" text,
	"status" text DEFAULT 'ongoing' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	CONSTRAINT "sandbox_transactions_access_code_unique" UNIQUE("access_code")
);
--> statement-breakpoint
CREATE TABLE "top_ups" (
	"reference" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"requested_kobo" bigint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"credited_kobo" bigint,
	"authorization_url" text,
	"problem" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"credited_at" timestamp (3) with time zone,
	CONSTRAINT "top_ups_status_known" CHECK ("top_ups"."status" in ('pending', 'credited', 'failed', 'abandoned', 'review')),
	CONSTRAINT "top_ups_credited_once" CHECK (("top_ups"."status" = 'credited') = ("top_ups"."credited_kobo" is not null))
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "transfers_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"package_id" uuid,
	"reference" text,
	"actor_id" uuid,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transfers_number_unique" UNIQUE("number"),
	CONSTRAINT "transfers_kind_known" CHECK ("transfers"."kind" in ('top_up', 'hold', 'release', 'refund', 'adjustment'))
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"available_kobo" bigint DEFAULT 0 NOT NULL,
	"held_kobo" bigint DEFAULT 0 NOT NULL,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "wallets_available_not_negative" CHECK ("wallets"."available_kobo" >= 0),
	CONSTRAINT "wallets_held_not_negative" CHECK ("wallets"."held_kobo" >= 0)
);
--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "held_kobo" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "paid_out_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "party_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "sign_up_key_hash" text;--> statement-breakpoint
ALTER TABLE "assignments" ADD CONSTRAINT "assignments_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignments" ADD CONSTRAINT "assignments_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignments" ADD CONSTRAINT "assignments_courier_id_users_id_fk" FOREIGN KEY ("courier_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_reference_top_ups_reference_fk" FOREIGN KEY ("reference") REFERENCES "public"."top_ups"("reference") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assignments_package_id" ON "assignments" USING btree ("package_id");--> statement-breakpoint
CREATE INDEX "assignments_sender_id" ON "assignments" USING btree ("sender_id","changed_xid");--> statement-breakpoint
CREATE INDEX "assignments_courier_id" ON "assignments" USING btree ("courier_id","changed_xid");--> statement-breakpoint
CREATE INDEX "entries_transfer_id" ON "entries" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "entries_user_id" ON "entries" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "rate_limits_ends_at" ON "rate_limits" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "top_ups_user_id" ON "top_ups" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "top_ups_open" ON "top_ups" USING btree ("created_at") WHERE status in ('pending', 'failed');--> statement-breakpoint
CREATE INDEX "transfers_package_id" ON "transfers" USING btree ("package_id");--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_one_release" ON "transfers" USING btree ("package_id") WHERE kind = 'release';--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_one_top_up" ON "transfers" USING btree ("reference") WHERE kind = 'top_up';--> statement-breakpoint
CREATE INDEX "wallets_changed_xid" ON "wallets" USING btree ("changed_xid");--> statement-breakpoint
CREATE INDEX "packages_changed_xid" ON "packages" USING btree ("changed_xid");--> statement-breakpoint
CREATE INDEX "users_changed_xid" ON "users" USING btree ("changed_xid");--> statement-breakpoint
CREATE INDEX "users_party_xid" ON "users" USING btree ("party_xid");--> statement-breakpoint
ALTER TABLE "packages" ADD CONSTRAINT "packages_held_not_negative" CHECK ("packages"."held_kobo" >= 0);--> statement-breakpoint
ALTER TABLE "packages" ADD CONSTRAINT "packages_held_is_paid" CHECK (held_kobo = 0 or (payment_method = 'app' and payment_status = 'paid' and held_kobo = price_kobo));
--> statement-breakpoint
-- Every row carries the transaction that wrote it last (see changedXid in database/schema.ts).
CREATE FUNCTION stamp_changed_xid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_xid := pg_current_xact_id();
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE FUNCTION stamp_user_xids() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_xid := pg_current_xact_id();
  IF (NEW.first_name, NEW.last_name, NEW.email, NEW.phone_number)
     IS DISTINCT FROM (OLD.first_name, OLD.last_name, OLD.email, OLD.phone_number) THEN
    NEW.party_xid := pg_current_xact_id();
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER packages_stamp BEFORE UPDATE ON packages FOR EACH ROW EXECUTE FUNCTION stamp_changed_xid();
--> statement-breakpoint
CREATE TRIGGER users_stamp BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION stamp_user_xids();
--> statement-breakpoint
CREATE TRIGGER wallets_stamp BEFORE UPDATE ON wallets FOR EACH ROW EXECUTE FUNCTION stamp_changed_xid();
--> statement-breakpoint
CREATE TRIGGER assignments_stamp BEFORE UPDATE ON assignments FOR EACH ROW EXECUTE FUNCTION stamp_changed_xid();
--> statement-breakpoint
-- Who carried what: a change of courier ends one assignment and begins the next.
CREATE FUNCTION keep_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.courier_id IS NOT NULL THEN
    UPDATE assignments SET ended_at = NEW.updated_at
     WHERE package_id = NEW.id AND ended_at IS NULL;
  END IF;
  IF NEW.courier_id IS NOT NULL THEN
    INSERT INTO assignments (package_id, sender_id, courier_id, started_at)
    VALUES (NEW.id, NEW.sender_id, NEW.courier_id, NEW.updated_at);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER packages_assigned AFTER UPDATE OF courier_id ON packages
  FOR EACH ROW WHEN (OLD.courier_id IS DISTINCT FROM NEW.courier_id)
  EXECUTE FUNCTION keep_assignments();
--> statement-breakpoint
CREATE TRIGGER packages_inserted_assigned AFTER INSERT ON packages
  FOR EACH ROW WHEN (NEW.courier_id IS NOT NULL) EXECUTE FUNCTION keep_assignments();
--> statement-breakpoint
INSERT INTO assignments (package_id, sender_id, courier_id, started_at)
SELECT id, sender_id, courier_id, updated_at FROM packages WHERE courier_id IS NOT NULL;
--> statement-breakpoint
-- Who may have seen a change, for the processes that listen; PostgreSQL sends it at the commit.
--   {"users":[…ids…],"couriers":true where it was or is on offer to all of them}; admins always.
CREATE FUNCTION tell_package_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  concerned text[] := ARRAY[NEW.sender_id::text];
  on_offer boolean := NEW.status = 'pending';
BEGIN
  IF NEW.courier_id IS NOT NULL THEN concerned := concerned || NEW.courier_id::text; END IF;
  IF TG_OP = 'UPDATE' THEN
    on_offer := on_offer OR OLD.status = 'pending';
    IF OLD.courier_id IS DISTINCT FROM NEW.courier_id AND OLD.courier_id IS NOT NULL THEN
      concerned := concerned || OLD.courier_id::text;
    END IF;
  END IF;
  PERFORM pg_notify('kaya_changes', json_build_object('users', concerned, 'couriers', on_offer)::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER packages_tell AFTER INSERT OR UPDATE ON packages
  FOR EACH ROW EXECUTE FUNCTION tell_package_change();
--> statement-breakpoint
CREATE FUNCTION tell_wallet_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('kaya_changes', json_build_object('users', ARRAY[NEW.user_id::text], 'couriers', false)::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER wallets_tell AFTER INSERT OR UPDATE ON wallets
  FOR EACH ROW EXECUTE FUNCTION tell_wallet_change();
--> statement-breakpoint
-- Others see this person's name and phone on a package: those who share one with them are told too.
CREATE FUNCTION tell_user_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  concerned text[] := ARRAY[NEW.id::text];
  is_sender_on_offer boolean := false;
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.party_xid IS DISTINCT FROM OLD.party_xid THEN
    SELECT concerned || coalesce(array_agg(DISTINCT other), '{}') INTO concerned FROM (
      SELECT courier_id::text AS other FROM packages WHERE sender_id = NEW.id AND courier_id IS NOT NULL AND deleted_at IS NULL
      UNION SELECT sender_id::text FROM packages WHERE courier_id = NEW.id AND deleted_at IS NULL
    ) AS parties;
    SELECT EXISTS (SELECT 1 FROM packages WHERE sender_id = NEW.id AND status = 'pending' AND deleted_at IS NULL)
      INTO is_sender_on_offer;
    -- A notification holds 8000 bytes: where more people share packages, everybody is told.
    IF cardinality(concerned) > 150 THEN concerned := ARRAY['*']; END IF;
  END IF;
  PERFORM pg_notify('kaya_changes', json_build_object('users', concerned, 'couriers', is_sender_on_offer)::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_tell AFTER INSERT OR UPDATE ON users
  FOR EACH ROW EXECUTE FUNCTION tell_user_change();
--> statement-breakpoint
-- The ledger is append-only, and every transfer sums to zero by the commit.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE ON entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER transfers_no_truncate BEFORE TRUNCATE ON transfers EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER entries_no_truncate BEFORE TRUNCATE ON entries EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE FUNCTION insist_on_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  total bigint;
  transfer uuid := CASE TG_TABLE_NAME WHEN 'transfers' THEN (to_jsonb(NEW)->>'id')::uuid
                                      ELSE (to_jsonb(NEW)->>'transfer_id')::uuid END;
BEGIN
  SELECT sum(amount_kobo) INTO total FROM entries WHERE transfer_id = transfer;
  IF total IS DISTINCT FROM 0 THEN
    RAISE EXCEPTION 'the entries of transfer % sum to % and not to zero', transfer, total;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER transfers_balance AFTER INSERT ON transfers
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION insist_on_balance();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER entries_balance AFTER INSERT ON entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION insist_on_balance();
--> statement-breakpoint
-- App packages were 'unpaid' until there was a ledger; anything else would be money that never was.
UPDATE packages SET payment_status = 'unpaid' WHERE payment_method = 'app';

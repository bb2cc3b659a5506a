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
	"payout" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transfers_number_unique" UNIQUE("number"),
	CONSTRAINT "transfers_kind_known" CHECK ("transfers"."kind" in ('top_up', 'hold', 'release', 'reversal', 'settlement', 'refund', 'adjustment'))
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
CREATE TABLE "push_news" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "push_news_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"package_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"actor_id" uuid NOT NULL,
	"former_courier_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"endpoint" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"kinds" text[] NOT NULL,
	"area_lat" double precision,
	"area_lng" double precision,
	"area_km" double precision,
	"created_at" timestamp (3) with time zone NOT NULL,
	"succeeded_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"vapid_key" text
);
--> statement-breakpoint
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
CREATE TABLE "idempotency_keys" (
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" smallint NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
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
	"proof" jsonb,
	"corrects" uuid,
	"before" jsonb,
	CONSTRAINT "package_events_seq_unique" UNIQUE("seq")
);
--> statement-breakpoint
CREATE TABLE "packages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "packages_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sender_id" uuid NOT NULL,
	"courier_id" uuid,
	"recipient_name" text NOT NULL,
	"recipient_phone" text NOT NULL,
	"recipient_email" text,
	"description" text NOT NULL,
	"notes" text,
	"pickup_address" text NOT NULL,
	"delivery_address" text NOT NULL,
	"pickup_location" jsonb,
	"delivery_location" jsonb,
	"pickup_date" timestamp (3) with time zone NOT NULL,
	"delivery_date" timestamp (3) with time zone,
	"price_kobo" bigint NOT NULL,
	"payment_method" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"progress" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_attempt" jsonb,
	"outcome" text,
	"delivered_at" timestamp (3) with time zone,
	"handover" text DEFAULT 'none' NOT NULL,
	"verified_by" text,
	"photos_missing" integer DEFAULT 0 NOT NULL,
	"dropoff_code" text,
	"dropoff_token" text,
	"dropoff_token_hash" text,
	"former_codes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"return_code" text,
	"dropoff_tries" integer DEFAULT 0 NOT NULL,
	"return_tries" integer DEFAULT 0 NOT NULL,
	"wrong_codes" integer DEFAULT 0 NOT NULL,
	"payment_status" text DEFAULT 'unpaid' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"field_versions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"field_writers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"held_kobo" bigint DEFAULT 0 NOT NULL,
	"release_at" timestamp (3) with time zone,
	"paid_out_at" timestamp (3) with time zone,
	"paid_out_kobo" bigint,
	"tracking_token" text DEFAULT substr(translate(encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'base64'), '+/', '-_'), 1, 22) NOT NULL,
	"link_notes" integer DEFAULT 0 NOT NULL,
	"recipient_note" jsonb,
	"dispute" jsonb,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "packages_number_unique" UNIQUE("number"),
	CONSTRAINT "packages_tracking_token_unique" UNIQUE("tracking_token"),
	CONSTRAINT "packages_held_not_negative" CHECK ("packages"."held_kobo" >= 0),
	CONSTRAINT "packages_held_is_paid" CHECK (held_kobo = 0 or (payment_method = 'app' and payment_status = 'paid' and held_kobo = price_kobo)),
	CONSTRAINT "packages_price_positive" CHECK ("packages"."price_kobo" > 0),
	CONSTRAINT "packages_status_known" CHECK ("packages"."status" in ('pending', 'in-transit', 'delivered', 'cancelled')),
	CONSTRAINT "packages_moving_has_courier" CHECK ("packages"."status" not in ('in-transit', 'delivered') or "packages"."courier_id" is not null),
	CONSTRAINT "packages_pending_has_no_courier" CHECK ("packages"."status" <> 'pending' or "packages"."courier_id" is null),
	CONSTRAINT "packages_handover_known" CHECK ("packages"."handover" in ('none', 'code')),
	CONSTRAINT "packages_progress_known" CHECK ("packages"."progress" in ('accepted', 'picked_up', 'arrived', 'attempted', 'returning'))
);
--> statement-breakpoint
CREATE TABLE "proofs" (
	"id" uuid NOT NULL,
	"package_id" uuid NOT NULL,
	"courier_id" uuid NOT NULL,
	"type" text NOT NULL,
	"digest" text NOT NULL,
	"bytes" "bytea",
	"size" integer NOT NULL,
	"stored_digest" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "proofs_package_id_id_pk" PRIMARY KEY("package_id","id")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"parent_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "server_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"is_trusted" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"roles" text[] NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"phone_number" text,
	"address" text,
	"vehicle" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"field_versions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"field_writers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"party_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"given_back_at" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"sign_up_key_hash" text,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entries" ADD CONSTRAINT "entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_reference_top_ups_reference_fk" FOREIGN KEY ("reference") REFERENCES "public"."top_ups"("reference") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_news" ADD CONSTRAINT "push_news_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "positions" ADD CONSTRAINT "positions_courier_id_users_id_fk" FOREIGN KEY ("courier_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "texts" ADD CONSTRAINT "texts_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "texts" ADD CONSTRAINT "texts_event_id_package_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."package_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignments" ADD CONSTRAINT "assignments_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignments" ADD CONSTRAINT "assignments_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignments" ADD CONSTRAINT "assignments_courier_id_users_id_fk" FOREIGN KEY ("courier_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_events" ADD CONSTRAINT "package_events_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_events" ADD CONSTRAINT "package_events_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "packages" ADD CONSTRAINT "packages_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "packages" ADD CONSTRAINT "packages_courier_id_users_id_fk" FOREIGN KEY ("courier_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proofs" ADD CONSTRAINT "proofs_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proofs" ADD CONSTRAINT "proofs_courier_id_users_id_fk" FOREIGN KEY ("courier_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_parent_hash_refresh_tokens_token_hash_fk" FOREIGN KEY ("parent_hash") REFERENCES "public"."refresh_tokens"("token_hash") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entries_transfer_id" ON "entries" USING btree ("transfer_id");--> statement-breakpoint
CREATE INDEX "entries_user_id" ON "entries" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "top_ups_user_id" ON "top_ups" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "top_ups_in_review" ON "top_ups" USING btree ("created_at") WHERE status = 'review';--> statement-breakpoint
CREATE INDEX "top_ups_open" ON "top_ups" USING btree ("created_at") WHERE status in ('pending', 'failed');--> statement-breakpoint
CREATE INDEX "transfers_package_id" ON "transfers" USING btree ("package_id");--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_one_release" ON "transfers" USING btree ("package_id","payout") WHERE kind = 'release';--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_one_reversal" ON "transfers" USING btree ("package_id","payout") WHERE kind = 'reversal';--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_one_top_up" ON "transfers" USING btree ("reference") WHERE kind = 'top_up';--> statement-breakpoint
CREATE INDEX "wallets_changed_xid" ON "wallets" USING btree ("changed_xid");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user_id" ON "push_subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "push_subscriptions_session_id" ON "push_subscriptions" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "texts_package_id" ON "texts" USING btree ("package_id");--> statement-breakpoint
CREATE INDEX "texts_due" ON "texts" USING btree ("status","due_at");--> statement-breakpoint
CREATE INDEX "assignments_package_id" ON "assignments" USING btree ("package_id");--> statement-breakpoint
CREATE INDEX "assignments_sender_id" ON "assignments" USING btree ("sender_id","changed_xid");--> statement-breakpoint
CREATE INDEX "assignments_courier_id" ON "assignments" USING btree ("courier_id","changed_xid");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "package_events_package_id" ON "package_events" USING btree ("package_id","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "package_events_corrects" ON "package_events" USING btree ("corrects");--> statement-breakpoint
CREATE INDEX "packages_sender_id" ON "packages" USING btree ("sender_id","number");--> statement-breakpoint
CREATE INDEX "packages_courier_id" ON "packages" USING btree ("courier_id","number");--> statement-breakpoint
CREATE INDEX "packages_carried" ON "packages" USING btree ("courier_id") WHERE status = 'in-transit' and deleted_at is null;--> statement-breakpoint
CREATE INDEX "packages_on_offer" ON "packages" USING btree ("number") WHERE status = 'pending' and courier_id is null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "packages_due" ON "packages" USING btree ("release_at") WHERE release_at is not null;--> statement-breakpoint
CREATE INDEX "packages_changed_xid" ON "packages" USING btree ("changed_xid");--> statement-breakpoint
CREATE INDEX "proofs_created_at" ON "proofs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "rate_limits_ends_at" ON "rate_limits" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_session_id" ON "refresh_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_parent_hash" ON "refresh_tokens" USING btree ("parent_hash");--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_changed_xid" ON "users" USING btree ("changed_xid");--> statement-breakpoint
CREATE INDEX "users_party_xid" ON "users" USING btree ("party_xid");--> statement-breakpoint
-- Every row carries the transaction that wrote it last (see changedXid in database/columns.ts).
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
-- A change of courier ends one assignment and begins the next.
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
-- Notifies the processes that listen, at the commit, of those who may have seen a change:
--   {"users":[…ids…],"couriers":true where it was or is on offer to all of them}; admins always.
-- Those of a package or a user carry their transaction ("xid"), for processes that carry rows to their
-- streams; a package's names the row, and has "moved" where the pickup's position changed: only then
-- can an offer that a working area leaves out be in a mirror of that area.
CREATE FUNCTION tell_package_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  concerned text[] := ARRAY[NEW.sender_id::text];
  on_offer boolean := NEW.status = 'pending';
  moved boolean := false;
BEGIN
  IF NEW.courier_id IS NOT NULL THEN concerned := concerned || NEW.courier_id::text; END IF;
  IF TG_OP = 'UPDATE' THEN
    on_offer := on_offer OR OLD.status = 'pending';
    moved := OLD.pickup_location IS DISTINCT FROM NEW.pickup_location;
    IF OLD.courier_id IS DISTINCT FROM NEW.courier_id AND OLD.courier_id IS NOT NULL THEN
      concerned := concerned || OLD.courier_id::text;
    END IF;
  END IF;
  PERFORM pg_notify('kaya_changes', json_build_object('users', concerned, 'couriers', on_offer,
    'moved', moved, 'package', NEW.id, 'xid', NEW.changed_xid::text)::text);
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
  PERFORM pg_notify('kaya_changes', json_build_object('users', concerned, 'couriers', is_sender_on_offer,
    'xid', NEW.changed_xid::text)::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_tell AFTER INSERT OR UPDATE ON users
  FOR EACH ROW EXECUTE FUNCTION tell_user_change();
--> statement-breakpoint
-- The ledger and the events are append-only, and every transfer sums to zero by the commit.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this table is append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER transfers_append_only BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE ON entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER package_events_append_only BEFORE UPDATE OR DELETE ON package_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER transfers_no_truncate BEFORE TRUNCATE ON transfers EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER entries_no_truncate BEFORE TRUNCATE ON entries EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER package_events_no_truncate BEFORE TRUNCATE ON package_events EXECUTE FUNCTION refuse_change();
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
-- A browser is notified of nothing once its session has ended, however it ended.
CREATE FUNCTION end_push_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM push_subscriptions WHERE session_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sessions_end_push AFTER UPDATE OF revoked_at ON sessions
  FOR EACH ROW WHEN (NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION end_push_subscriptions();

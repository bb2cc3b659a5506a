-- A package change names the row and its transaction, so that a process that carries rows to its
-- streams knows of each row it reads whether all couriers are concerned:
--   {"users":[…ids…],"couriers":true where it was or is on offer to all of them,"package":id,"xid":"…"}
CREATE OR REPLACE FUNCTION tell_package_change() RETURNS trigger LANGUAGE plpgsql AS $$
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
  PERFORM pg_notify('kaya_changes', json_build_object('users', concerned, 'couriers', on_offer,
    'package', NEW.id, 'xid', NEW.changed_xid::text)::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- As in 0001, with the transaction.
CREATE OR REPLACE FUNCTION tell_user_change() RETURNS trigger LANGUAGE plpgsql AS $$
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

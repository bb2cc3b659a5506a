-- As in 0008, with "moved": true where the pickup's position changed. Only then can an offer that a
-- working area leaves out be in a mirror of that area.
CREATE OR REPLACE FUNCTION tell_package_change() RETURNS trigger LANGUAGE plpgsql AS $$
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

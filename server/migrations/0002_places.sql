ALTER TABLE "packages" ADD COLUMN "pickup_location" jsonb;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "delivery_location" jsonb;
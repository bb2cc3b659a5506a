ALTER TABLE "packages" ADD COLUMN "field_writers" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "field_writers" jsonb DEFAULT '{}'::jsonb NOT NULL;
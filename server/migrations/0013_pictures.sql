ALTER TABLE "proofs" ALTER COLUMN "bytes" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "proofs" ADD COLUMN "size" integer;--> statement-breakpoint
ALTER TABLE "proofs" ADD COLUMN "stored_digest" text;--> statement-breakpoint
ALTER TABLE "proofs" ADD CONSTRAINT "proofs_bytes_somewhere" CHECK ("proofs"."bytes" is not null or "proofs"."stored_digest" is not null);
#!/bin/sh
# A backup into BACKUP_DIR, then the audit of the ledger; backups older than BACKUP_DAYS go, but not while
# the ledger is broken. Ends with 1 where anything is wrong. Beside running servers on PostgreSQL; the
# embedded database wants its server stopped.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
file=$BACKUP_DIR/kaya-$(date -u +%Y-%m-%dT%H%M%SZ).backup
node "$root/dist/server/backup.js" "$file"
node "$root/dist/server/audit.js"
find "$BACKUP_DIR" -name 'kaya-*.backup' -mtime "+$BACKUP_DAYS" -delete
# What a backup that was killed had begun.
find "$BACKUP_DIR" -name 'kaya-*.new' -mtime +1 -delete

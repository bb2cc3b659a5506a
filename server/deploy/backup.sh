#!/bin/sh
# Backs up into BACKUP_DIR, audits the ledger, then deletes backups older than BACKUP_DAYS; a broken ledger
# deletes none. Exits with 1 on any failure. On PostgreSQL servers keep running; the embedded database needs
# its server stopped.
set -eu
case $BACKUP_DAYS in
  '' | *[!0-9]*)
    # find takes -1 as 'all of them'.
    echo "BACKUP_DAYS must be a whole number of days (it is '$BACKUP_DAYS'). Correct it, then start again." >&2
    exit 1
    ;;
esac
root=$(cd "$(dirname "$0")/../.." && pwd)
# With the process id, so that two in one second get different names.
name=kaya-$(date -u +%Y-%m-%dT%H%M%SZ)-$$.backup
node "$root/dist/server/backup.js" "$BACKUP_DIR/$name"
node "$root/dist/server/audit.js"

# Only files directly in BACKUP_DIR.
old() {
  find "$BACKUP_DIR/" -maxdepth 1 -type f "$@"
}
# Never the newest, even if the clock was set.
old -name 'kaya-*.backup' ! -name "$name" -mtime "+$BACKUP_DAYS" -exec rm -f {} +
# Leftovers of killed backups.
old -name 'kaya-*.new' -mtime +1 -exec rm -f {} +

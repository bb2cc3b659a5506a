#!/bin/sh
# A backup into BACKUP_DIR, then the audit of the ledger; backups older than BACKUP_DAYS go, but not while
# the ledger is broken. Ends with 1 where anything is wrong. Beside running servers on PostgreSQL; the
# embedded database wants its server stopped.
set -eu
case $BACKUP_DAYS in
  '' | *[!0-9]*)
    # find would take -1 for 'all of them'.
    echo "BACKUP_DAYS must be a whole number of days (it is '$BACKUP_DAYS'). Correct it, then start again." >&2
    exit 1
    ;;
esac
root=$(cd "$(dirname "$0")/../.." && pwd)
# With the number of this process, so that two in one second have two names.
name=kaya-$(date -u +%Y-%m-%dT%H%M%SZ)-$$.backup
node "$root/dist/server/backup.js" "$BACKUP_DIR/$name"
node "$root/dist/server/audit.js"

# Only what this script has made here: no folders and nothing in them.
old() {
  find "$BACKUP_DIR/" -maxdepth 1 -type f "$@"
}
# Never the newest, whatever a clock that was set has made of its age.
old -name 'kaya-*.backup' ! -name "$name" -mtime "+$BACKUP_DAYS" -delete
# What a backup that was killed had begun.
old -name 'kaya-*.new' -mtime +1 -delete

# Copies the primary at the first start, and then follows it through a slot, which keeps what the replica has not read yet.
# A replica that was promoted stays what it is.
set -eu
PRIMARY=${PRIMARY:-postgres}
export PGPASSWORD="$POSTGRES_PASSWORD"
copy() {
  rm -rf "$PGDATA.new"
  pg_basebackup --pgdata="$PGDATA.new" --dbname="host=$PRIMARY user=$POSTGRES_USER" --slot=replica "$@" \
    --write-recovery-conf --checkpoint=fast
}
if [ ! -d "$PGDATA" ]; then
  # An earlier copy may have created the slot.
  copy --create-slot || copy
  chmod 700 "$PGDATA.new"
  mv "$PGDATA.new" "$PGDATA"
fi
exec postgres -c max_connections=200 -c hot_standby_feedback=on

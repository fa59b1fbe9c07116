# Copies the primary at the first start, and then follows it through a slot, which keeps what the replica has not read yet.
set -eu
PRIMARY=${PRIMARY:-postgres}
export PGPASSWORD="$POSTGRES_PASSWORD"
if [ ! -s "$PGDATA/standby.signal" ]; then
  find "$PGDATA" -mindepth 1 -delete
  pg_basebackup --pgdata="$PGDATA" --dbname="host=$PRIMARY user=$POSTGRES_USER" --slot=replica --create-slot \
    --write-recovery-conf --checkpoint=fast || pg_basebackup --pgdata="$PGDATA" \
    --dbname="host=$PRIMARY user=$POSTGRES_USER" --slot=replica --write-recovery-conf --checkpoint=fast
  chmod 700 "$PGDATA"
fi
exec postgres -c max_connections=200 -c hot_standby_feedback=on

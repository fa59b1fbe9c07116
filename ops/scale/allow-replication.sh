# Runs once, when the primary is created.
echo 'host replication mintick all scram-sha-256' >> "$PGDATA/pg_hba.conf"

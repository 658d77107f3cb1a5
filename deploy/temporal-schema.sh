#!/bin/sh
# Temporal's two databases: made if they are not there, then brought up to the version of this image.
# The tool takes host, port, user and password from the SQL_* variables.
set -eu

for database in temporal temporal_visibility; do
  folder=${database#temporal_}
  temporal-sql-tool --db "$database" create
  temporal-sql-tool --db "$database" setup-schema -v 0.0
  temporal-sql-tool --db "$database" update-schema -d "/etc/temporal/schema/postgresql/v12/$folder/versioned"
done

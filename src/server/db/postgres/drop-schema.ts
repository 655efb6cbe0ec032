import { sql } from 'kysely'

import type { Db } from '../open'

/** Deletes all tables and functions of the database, whichever version made them, but those of extensions. */
export async function dropSchema(db: Db): Promise<void> {
  await sql
    .raw(
      `do $$ declare statement text; begin
        for statement in
          select format('drop table %s cascade', oid::regclass) from pg_class
            where relnamespace = current_schema()::regnamespace and relkind = 'r'
              and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
          union all
          select format('drop function %s', oid::regprocedure) from pg_proc
            where pronamespace = current_schema()::regnamespace
              and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
        loop execute statement; end loop;
      end $$`,
    )
    .execute(db)
}

import type { Compilable, CompiledQuery } from 'kysely'

import { engineOf } from '../engine'
import type { Db } from '../open'

/** Stands for a value until the statement is executed. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Values = Record<string, unknown>

type Prepared<Row> = {
  execute(): Promise<Row[]>
  executeTakeFirst(): Promise<Row | undefined>
  executeTakeFirstOrThrow(): Promise<Row>
}

/**
 * A statement that is built once for each engine and each set of values, and executed again and again: on
 * SQLite, building most statements takes longer than running them. For those of every sync and every tick.
 * @param build builds it with placeholders, so it may look at no value, not even whether it is null; a value
 *   that is undefined is not there
 */
export function prepare<Given extends Values, Row>(
  build: (db: Db, values: Given) => Compilable<Row>,
): (db: Db, values: Given) => Prepared<Row> {
  const known = new Map<string, CompiledQuery<Row>>()

  function compile(db: Db, values: Given): CompiledQuery<Row> {
    const names = Object.keys(values).filter((name) => values[name] !== undefined)
    const key = `${engineOf(db).name} ${names.join()}`
    const found = known.get(key)
    if (found) return found
    const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]))
    const compiled = build(db, placeholders as Given).compile()
    known.set(key, compiled)
    return compiled
  }

  return (db, values) => {
    const compiled = compile(db, values)
    engineOf(db).nameStatement?.(compiled.sql)
    const execute = async () => {
      const parameters = compiled.parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name] : parameter,
      )
      return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
    }
    return {
      execute,
      executeTakeFirst: async () => (await execute())[0],
      async executeTakeFirstOrThrow() {
        const [row] = await execute()
        if (row === undefined) throw new Error('The statement has found no row')
        return row
      },
    }
  }
}

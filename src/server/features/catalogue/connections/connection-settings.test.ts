import { isDeepStrictEqual } from 'node:util'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../../../shared/automatic-reading'
import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import {
  connectionSchema,
  createConnectionInput,
  updateConnectionInput,
  type Connection,
  type UpdateConnectionInput,
} from '../../../../shared/schemas/connection'
import { collectRows } from '../../../testing/fixtures/collect-rows'
import { createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { fillSchema } from '../../../testing/suites/growth/schema-inputs'
import type { UserRecord } from '../../people/accounts/users.queries'
import { createConnection, eachConnection, listConnections, updateConnection } from './connections'

const settings = {
  name: 'Feed',
  type: 'URL',
  fileFormat: 'CSV',
  syncFrequency: 60,
  config: { url: 'https://feeds.example/a.csv' },
  isActive: false,
}

/** A value for every setting; where there is a choice, it differs from `settings`. */
const [everySetting] = fillSchema(updateConnectionInput.omit({ id: true }), {
  text: 'https://feeds.example/b.csv',
  items: 1,
}) as [Omit<UpdateConnectionInput, 'id'>]

/** It is only for servers of files, which have tests of their own. */
function withoutTransfer({ config, overlay, ...others }: typeof everySetting) {
  const { transfer: _, ...source } = config ?? {}
  const { transfer: __, ...second } = overlay ?? {}
  return { ...others, config: source, ...(overlay && { overlay: second }) }
}

let deps: TestDeps
let supplier: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps)
})
afterEach(() => deps.close())

/** What both transports send of a connection: its schema drops every field that it does not name. */
const toOutput = (connection: Connection) => connectionSchema.parse(connection)

const create = async (input: object) =>
  toOutput(await createConnection(deps, supplier, createConnectionInput.parse(input)))

const update = async (input: object) =>
  toOutput(await updateConnection(deps, supplier, updateConnectionInput.parse(input)))

const pick = (connection: Connection, name: string) => connection[name as keyof Connection]

/** The connections as the screens list them, and as scripts do. */
async function listBoth() {
  const screens = await listConnections(deps, supplier)
  const scripts = await collectRows(eachConnection(deps, supplier))
  return [screens.map(toOutput), scripts.map(toOutput)]
}

describe.each(['updates', 'overlay'] as const)('every setting of a connection but %s', (other) => {
  // Each of these two is refused beside the other.
  const { [other]: _, ...settable } = everySetting
  const given = withoutTransfer({ ...settable, isActive: false })

  it('is returned as it was given when the connection was created', async () => {
    expect(await create(given)).toMatchObject(given)
    expect(await listBoth()).toMatchObject([[given], [given]])
  })

  it('is returned as it was given in an update', async () => {
    const { id } = await create(settings)
    expect(await update({ id, ...given })).toMatchObject(given)
    expect(await listBoth()).toMatchObject([[given], [given]])
  })

  it('of its reading is automatic unless it is given', async () => {
    const { id, reading } = await create(settings)
    expect(reading).toEqual(AUTOMATIC_READING)
    const chosen = { encoding: 'koi8-r', skipLines: 2 } as const
    expect(await update({ id, reading: chosen })).toMatchObject({
      reading: { ...AUTOMATIC_READING, ...chosen },
    })
    expect(await update({ id, reading: {} })).toMatchObject({ reading: AUTOMATIC_READING })
  })

  it('of its columns is automatic unless it is given, and keeps what else is decided of them', async () => {
    const { id, columnRoles } = await create(settings)
    expect(columnRoles).toEqual(AUTOMATIC_ROLES)
    await deps.db
      .updateTable('connections')
      .set({ columnPolicy: columnPolicySchema.parse({ hidden: ['Cost'] }) })
      .execute()
    const chosen = { ...AUTOMATIC_ROLES, sku: 'Article' }
    expect(await update({ id, columnRoles: { sku: 'Article' } })).toMatchObject({
      columnRoles: chosen,
    })
    const { columnPolicy } = await deps.db
      .selectFrom('connections')
      .select('columnPolicy')
      .executeTakeFirstOrThrow()
    expect(columnPolicy).toMatchObject({ hidden: ['Cost'], roles: chosen })
  })

  it('is in the audit log when it has changed', async () => {
    const created = await create(settings)
    const updated = await update({ id: created.id, ...given })
    const { changes } = await deps.db
      .selectFrom('auditEntries')
      .select('changes')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    // The parts of nested settings are listed one by one, and those of `config` under their own names.
    const listed = new Set(changes?.map(({ field }) => field.split('.')[0]))
    const changed = Object.keys(given).filter(
      (name) => !isDeepStrictEqual(pick(created, name), pick(updated, name)),
    )
    expect(changed).toContain('config')
    const recordedAs: Record<string, string> = { config: 'url', columnRoles: 'columns' }
    for (const name of changed) expect([...listed]).toContain(recordedAs[name] ?? name)
  })

  it('stays unchanged when an update leaves it out', async () => {
    const { id } = await create(given)
    await update({ id, name: 'Another name' })
    const expected = { ...given, name: 'Another name' }
    expect(await listBoth()).toMatchObject([[expected], [expected]])
  })
})

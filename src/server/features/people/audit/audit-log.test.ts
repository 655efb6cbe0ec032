import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import type { AuditPageInput } from '../../../../shared/schemas/audit'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { withCaller } from '../../../domain/caller'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { cleanUp } from '../../../testing/stages/clean-up'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { updateStoreDetails } from '../../distribution/retailers/retailers'
import { updateSupplier } from '../../operations/suppliers/suppliers'
import { login } from '../accounts/accounts'
import { saveAdmin } from '../accounts/administrators'
import { AUDIT_CSV } from './audit-csv'
import { eachAuditEntry, pageAuditEntries } from './audit-log'
import { recordAudit } from './record-audit'

const ADDRESS = '203.0.113.7'

let deps: TestDeps
let admin: Actor
let supplier: Actor

beforeEach(async () => {
  deps = await openTestDeps()
  admin = await createAdmin(deps)
  supplier = await createSupplierUser(deps)
  await deps.db.deleteFrom('auditEntries').execute()
})
afterEach(() => deps.close())

const as = <T>(actor: Actor, work: () => Promise<T>, address = ADDRESS) =>
  withCaller({ origin: 'web', actor, address }, work)

const rename = (companyName: string, address = ADDRESS) =>
  as(admin, () => updateSupplier(deps, { id: supplier.id, companyName }), address)

/** From an address of their own each, so that they stay apart. */
async function renameOften(count: number, then?: (index: number) => void) {
  for (let index = 0; index < count; index++) {
    await rename(`Company ${index}`, `10.0.0.${index}`)
    then?.(index)
  }
}

async function list(reader: Actor, input: AuditPageInput = {}) {
  return (await pageAuditEntries(deps, reader, input)).rows
}

describe('an audit entry', () => {
  it('has who, with the name and role of that time, what, and the changed fields', async () => {
    await rename('Northbeck')
    await deps.db
      .updateTable('users')
      .set({ username: 'renamed' })
      .where('id', '=', admin.id)
      .execute()
    expect(await list(admin)).toMatchObject([
      {
        action: 'supplier.update',
        actorName: admin.username,
        actorRole: 'SUPER_ADMIN',
        subjectId: supplier.id,
        subjectName: 'Northbeck',
        supplierId: supplier.id,
        changes: [{ field: 'companyName', before: supplier.companyName, after: 'Northbeck' }],
        origin: 'web',
        address: ADDRESS,
      },
    ])
  })

  it('is not written by a call that changes nothing, or that is rolled back', async () => {
    await rename(supplier.companyName ?? '')
    await expect(
      as(admin, () => updateSupplier(deps, { id: admin.id, companyName: 'No supplier' })),
    ).rejects.toThrow('not found')
    expect(await list(admin)).toEqual([])
  })

  it('tells what a command has done, without a user', async () => {
    const script = { origin: 'script', actor: null, address: null } as const
    await withCaller(script, () => saveAdmin(deps, 'second', PASSWORD))
    expect(await list(admin)).toMatchObject([
      { action: 'administrator.create', actorName: null, subjectName: 'second', origin: 'script' },
    ])
  })

  it('has at most so many characters, whatever has changed', async () => {
    const texts = Array.from({ length: 5_000 }, (_, place) => `${place}`.padEnd(900, '漢'))
    const before = Object.fromEntries(texts.slice(0, 100).map((text) => [text.slice(0, 3), text]))
    await inTransaction(deps.db, (trx) =>
      recordAudit(trx, deps, { action: 'job.run', before, after: { categories: texts } }),
    )
    const [entry] = await list(admin)
    expect(entry?.changes).toHaveLength(40)
    expect(Buffer.byteLength(JSON.stringify(entry))).toBeLessThan(16_000)
  })
})

describe('failed sign-ins', () => {
  const fail = (username: string, address: string) =>
    expect(login(deps, { username, password: 'wrong' }, address)).rejects.toThrow(
      'Invalid username or password',
    )

  it('are recorded for the account, without what was typed for an unknown one', async () => {
    await fail(supplier.username, ADDRESS)
    await fail('a password typed by mistake', ADDRESS)
    const [unknown, known] = await list(admin, { action: 'user.sign-in-failed' })
    expect(known).toMatchObject({ actorName: null, subjectId: supplier.id })
    expect(unknown).toMatchObject({ actorName: null, subjectId: null, subjectName: null })
  })
})

describe('a supplier', () => {
  it('sees what was done to its own account, connection and retailers only', async () => {
    const retailer = await createLinkedRetailer(deps, supplier)
    await createLinkedRetailer(deps, await createSupplierUser(deps))
    await as(retailer.user, () =>
      updateStoreDetails(deps, retailer.user, { id: retailer.id, storeName: 'Harbour' }),
    )
    await rename('Northbeck')
    expect((await list(supplier)).map(({ action }) => action)).toEqual([
      'supplier.update',
      'retailer.update',
      'retailer.create',
    ])
    // A supplier named in the filter changes nothing.
    const [other] = await list(supplier, { supplierId: admin.id })
    expect(other?.supplierId).toBe(supplier.id)
  })

  it('does not learn names and addresses of administrators, nor by looking for them', async () => {
    await rename('Northbeck')
    const [entry] = await list(supplier)
    expect([entry?.actorName, entry?.address]).toEqual(['An administrator', null])
    expect(JSON.stringify(entry)).not.toContain(admin.username)
    expect(await list(supplier, { who: admin.username })).toEqual([])
  })
})

describe('the list', () => {
  it('has pages, newest first, which are complete and without repeats', async () => {
    await renameOften(120, (index) => {
      if (index % 7 === 0) deps.clock.advance(1_000)
    })
    const names: unknown[] = []
    let after: string | undefined
    do {
      const page = await pageAuditEntries(deps, admin, after === undefined ? {} : { cursor: after })
      names.push(...page.rows.map(({ subjectName }) => subjectName))
      after = page.next ?? undefined
    } while (after !== undefined)
    expect(names).toEqual(Array.from({ length: 120 }, (_, index) => `Company ${119 - index}`))
  })

  it('is filtered by who, action, kind, subject, supplier and period', async () => {
    await rename('Northbeck')
    deps.clock.advance(DAY_MS)
    const later = new Date(deps.clock.now()).toISOString()
    const retailer = await as(supplier, () => createLinkedRetailer(deps, supplier))
    const actions = async (filter: AuditPageInput) =>
      (await list(admin, filter)).map(({ action }) => action)
    expect(await actions({ who: supplier.username.toUpperCase() })).toEqual(['retailer.create'])
    expect(await actions({ action: 'supplier.update' })).toEqual(['supplier.update'])
    expect(await actions({ noun: 'retailer', subjectId: retailer.id })).toEqual(['retailer.create'])
    expect(await actions({ noun: 'retailer', subjectId: 4_711 })).toEqual([])
    expect(await actions({ supplierId: supplier.id })).toEqual([
      'retailer.create',
      'supplier.update',
    ])
    expect(await actions({ from: later })).toEqual(['retailer.create'])
    expect(await actions({ to: new Date(deps.clock.now() - 1).toISOString() })).toEqual([
      'supplier.update',
    ])
  })
})

describe('the export', () => {
  it('has every matching entry', async () => {
    await renameOften(450)
    const lines: string[] = []
    for await (const entries of eachAuditEntry(deps, admin, { noun: 'supplier' })) {
      lines.push(...entries.map(AUDIT_CSV.toLine))
    }
    expect([new Set(lines).size, AUDIT_CSV.header.split(',').length]).toEqual([450, 13])
  })

  it('has of a supplier what it sees in the list, without the names of administrators', async () => {
    await createLinkedRetailer(deps, await createSupplierUser(deps))
    await createLinkedRetailer(deps, supplier)
    await rename('Northbeck')
    const pages: unknown[] = []
    for await (const entries of eachAuditEntry(deps, supplier, {})) pages.push(...entries)
    expect(pages).toEqual(await list(supplier))
    expect(pages).toHaveLength(2)
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'lets no spreadsheet run %j as a formula',
    async (name) => {
      await rename(name)
      const [entry] = await list(admin)
      const cells = AUDIT_CSV.toLine(entry!)
      expect(cells).toContain(`'${name}`)
      expect(cells).not.toMatch(/(?:^|,"?)[=+\-@\t\r]/)
    },
  )
})

describe('retention', () => {
  it('keeps entries for a year, and failed sign-ins for thirty days', async () => {
    await rename('Northbeck')
    await expect(login(deps, { username: 'x', password: 'y' }, ADDRESS)).rejects.toThrow(
      'Invalid username or password',
    )
    deps.clock.advance(31 * DAY_MS)
    await cleanUp(deps)
    expect((await list(admin)).map(({ action }) => action)).toEqual(['supplier.update'])
    deps.clock.advance(335 * DAY_MS)
    await cleanUp(deps)
    expect(await list(admin)).toEqual([])
  })

  it('keeps the ten thousand newest of what a user does often, and all that gives access', async () => {
    const first = deps.clock.now() - 40_000
    const put = async (action: 'job.run' | 'webhook.create', total: number, from: number) => {
      const [noun = ''] = action.split('.')
      const entry = { action, noun, actorId: admin.id, origin: 'web' } as const
      for (let part = 0; part < total; part += 600) {
        const rows = Array.from({ length: 600 }, (_, place) => ({
          ...entry,
          at: from + part + place,
        }))
        await deps.db.insertInto('auditEntries').values(rows).execute()
      }
    }
    await put('webhook.create', 600, first - 20_000)
    await put('job.run', 10_200, first)
    // Every hundredth id removes old entries; one of these may be lost with a transaction that is tried again.
    await renameOften(200)
    const count = async (action: 'job.run' | 'webhook.create') =>
      (await deps.db.selectFrom('auditEntries').select('id').where('action', '=', action).execute())
        .length
    expect([await count('job.run'), await count('webhook.create')]).toEqual([10_000, 600])
  })
})

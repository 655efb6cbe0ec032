import { Writable } from 'node:stream'

import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { describeAuditEntry } from '../../../../shared/audit-actions'
import { HOUR_MS } from '../../../../shared/durations'
import type { UpdateCompanyProfileInput } from '../../../../shared/schemas/supplier'
import { inTransaction } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { withCaller } from '../../../domain/caller'
import { createAdmin, createSupplierUser, reloadUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { updateSupplier } from '../../operations/suppliers/suppliers'
import { toCompanyProfile, updateCompanyProfile } from '../accounts/company-profile'
import { pageAuditEntries } from './audit-log'
import { recordAudit } from './record-audit'

let deps: TestDeps
let admin: Actor
let supplier: Actor
let logged: { audit?: { id: number } }[]

beforeEach(async () => {
  logged = []
  const stream = new Writable({
    write(line, _encoding, done) {
      logged.push(JSON.parse(String(line)))
      done()
    },
  })
  deps = await openTestDeps({}, { logger: pino({}, stream) })
  admin = await createAdmin(deps)
  supplier = await createSupplierUser(deps)
  await deps.db.deleteFrom('auditEntries').execute()
  logged = []
})
afterEach(() => deps.close())

function rename(companyName: string, actor = supplier, address = '203.0.113.7') {
  return change(actor, { companyName }, address)
}

async function change(
  user: Actor,
  changed: Partial<UpdateCompanyProfileInput>,
  address = '203.0.113.7',
) {
  const actor = await reloadUser(deps, user)
  const profile = { ...toCompanyProfile(actor), companyName: actor.companyName ?? '' }
  const write = () => updateCompanyProfile(deps, actor, { ...profile, ...changed })
  return withCaller({ origin: 'web', actor, address }, write)
}

async function renameOften(count: number, ...rest: [Actor?, string?]) {
  for (let index = 1; index <= count; index++) {
    await rename(`Company ${index}`, ...rest)
    deps.clock.advance(1_000)
  }
}

const list = async () => (await pageAuditEntries(deps, admin, {})).rows

describe('what a user does to the same thing again and again', () => {
  it('becomes one entry after twenty, from its first state to its last', async () => {
    const startedAt = deps.clock.now()
    await renameOften(50)
    const entries = await list()
    expect(entries).toHaveLength(21)
    const [merged] = entries
    expect(merged).toMatchObject({
      count: 30,
      at: new Date(startedAt + 49_000).toISOString(),
      firstAt: new Date(startedAt + 20_000).toISOString(),
      subjectName: 'Company 50',
      changes: [{ field: 'companyName', before: 'Company 20', after: 'Company 50' }],
    })
    expect(describeAuditEntry(merged!)).toContain(', 30 times')
    expect(entries.slice(1).every(({ count, at, firstAt }) => count === 1 && at === firstAt)).toBe(
      true,
    )
  })

  it('tells of a field that is as it was before, and of each that has changed', async () => {
    await renameOften(20)
    await rename('Northbeck')
    await change(supplier, { publicPhone: '+49 30 1' })
    await rename('Company 20')
    const [merged] = await list()
    expect(merged?.changes).toEqual([
      { field: 'companyName', before: 'Company 20', after: 'Company 20' },
      { field: 'publicPhone', before: null, after: '+49 30 1' },
    ])
  })

  it('stays apart from another thing, another address, and an hour later', async () => {
    await renameOften(30)
    await rename('Other', await createSupplierUser(deps))
    await rename('From elsewhere', supplier, '203.0.113.8')
    deps.clock.advance(HOUR_MS)
    await rename('Later')
    const names = (await list()).slice(0, 4).map(({ subjectName, count }) => [subjectName, count])
    expect(names).toEqual([
      ['Later', 1],
      ['From elsewhere', 1],
      ['Other', 1],
      ['Company 30', 10],
    ])
  })

  it('is an entry of its own when the one before it is not there', async () => {
    await renameOften(25)
    await deps.db.deleteFrom('auditEntries').execute()
    await renameOften(25)
    expect((await list()).map(({ count }) => count)).toEqual([25])
  })
})

describe('what gives access to something', () => {
  it('has an entry for each change, so that one that is undone at once is not hidden', async () => {
    for (let index = 1; index <= 30; index++) {
      await withCaller({ origin: 'web', actor: admin, address: '203.0.113.7' }, () =>
        updateSupplier(deps, { id: supplier.id, maxRetailers: 20 + index }),
      )
    }
    const entries = await list()
    expect(entries.map(({ changes }) => changes[0]?.after)).toEqual(
      Array.from({ length: 30 }, (_, index) => `${50 - index}`),
    )
  })
})

describe('the log of the process', () => {
  it('has a line for each time, however many are one entry', async () => {
    await renameOften(50)
    const lines = logged.flatMap(({ audit }) => audit ?? [])
    const entries = await list()
    const times = entries.toReversed().flatMap(({ id, count }) => Array<number>(count).fill(id))
    expect(lines.map(({ id }) => id)).toEqual(times)
    expect(times).toHaveLength(50)
  })

  it('has none of what did not happen', async () => {
    const failing = inTransaction(deps.db, async (trx) => {
      await recordAudit(trx, deps, { action: 'job.run', subject: { name: 'backup' } })
      throw new Error('The disk is full')
    })
    await expect(failing).rejects.toThrow('The disk is full')
    expect(logged.filter(({ audit }) => audit)).toEqual([])
  })
})

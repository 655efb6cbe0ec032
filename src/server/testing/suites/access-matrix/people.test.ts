import { isDeepStrictEqual } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { MemberRole } from '../../../../shared/constants'
import { findUser } from '../../../features/people/accounts/users.queries'
import { createMember } from '../../fixtures/factories'
import { makeSample } from '../../fixtures/samples'
import { restoreSnapshot, takeSnapshot, type Snapshot } from '../../fixtures/snapshot'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import type { Client } from '../../stages/test-app'
import { callOver, matrixCalls, successOf, type MatrixCall } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { accessMatrix, type MatrixRow } from './matrix'
import { peopleMatrix } from './people-matrix'

const COMPANIES = ['owningSupplier', 'otherSupplier', 'ownRetailer', 'otherRetailer'] as const
type Company = (typeof COMPANIES)[number]
const LETTERS = { EDITOR: 'E', VIEWER: 'V', BUYER: 'B', TECHNICIAN: 'T' } as const
const ROLES_OF: Record<Company, readonly MemberRole[]> = {
  owningSupplier: ['OWNER', 'EDITOR', 'VIEWER'],
  otherSupplier: ['OWNER', 'EDITOR', 'VIEWER'],
  ownRetailer: ['OWNER', 'BUYER', 'TECHNICIAN'],
  otherRetailer: ['OWNER', 'BUYER', 'TECHNICIAN'],
}
const persons = COMPANIES.flatMap((company) => ROLES_OF[company].map((role) => ({ company, role })))

let sourceServer: SourceServer
/** Shared by all tests; after each that may change rows, they are restored. */
let world: World
let pristine: Snapshot
const members = new Map<string, { id: number; client: Client }>()

beforeAll(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  const { testApp, userIds } = world
  for (const { company, role } of persons) {
    const row = await findUser(testApp.deps.db, userIds[company])
    const member = await createMember(testApp.deps, row!, role)
    const client = await testApp.signIn(member)
    members.set(`${company} ${role}`, { id: member.id, client })
  }
  pristine = await takeSnapshot(testApp.deps.db)
})
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

/** Whether nobody makes the call without a session. A sign-in refuses everybody the same way. */
const needsSession = ({ expect: { anonymous, owningSupplier } }: MatrixRow) =>
  anonymous === 401 && owningSupplier !== 401

const callName = ({ procedure, route }: MatrixCall['row']) => procedure ?? route!

const calls = matrixCalls.filter(({ row }) => needsSession(row))

/** What a member gets: what the company's own login gets, unless the role does not include the call. */
function expectedFor(call: MatrixCall, { company, role }: (typeof persons)[number]): number {
  const ofCompany = successOf(call, company)
  const allowed = peopleMatrix[callName(call.row)]
  if (role === 'OWNER' || allowed === undefined) return ofCompany
  return allowed.includes(LETTERS[role]) ? ofCompany : 403
}

describe.each(calls)('$name over $transport', (call) => {
  it.each(persons)('is for $role of $company as its role says', async (person) => {
    const { app, deps, client } = world.testApp
    const member = members.get(`${person.company} ${person.role}`)!
    // What a person is told, how and where it is signed in and its keys hang on the person, everything else on the company.
    const isOwn = /^(?:alerts|sessions|confirmation|secondFactor|passkeys|apiKeys)\./.test(
      call.row.procedure ?? '',
    )
    const userIds = isOwn ? { ...world.userIds, [person.company]: member.id } : world.userIds
    const sample = await makeSample(call.row, { ...world, userIds }, person.company)
    const before = await takeSnapshot(deps.db)
    const caller = client(member.client.cookie)
    const response = await callOver(app, call.transport, call.row, caller, sample)
    const status = expectedFor(call, person)
    expect(response.status, response.text).toBe(status)
    await deps.queue.idle()
    const after = await takeSnapshot(deps.db)
    // A refused call changes no row.
    expect(status >= 400 ? after : before).toEqual(before)
    // Samples add rows too.
    if (!isDeepStrictEqual(after, pristine)) await restoreSnapshot(deps.db, pristine)
  })
})

it('says who of a company may make each call that is not for anyone, and no other', () => {
  const limited = accessMatrix.filter(needsSession)
  const ofCompanies = limited.filter((row) => COMPANIES.some((kind) => row.expect[kind] !== 403))
  const names = new Set(ofCompanies.map(callName))
  expect(Object.keys(peopleMatrix).toSorted()).toEqual([...names].toSorted())
})

import { describe, expect, it } from 'vitest'

import { definitionOf, procedurePaths, type ProcedurePath } from '../../api/procedures'
import { PASSWORD } from '../fixtures/factories'
import { nameOf } from '../fixtures/samples'
import { mutationCalls, prepareCall, type MutationCall } from '../stages/mutation-calls'
import { shareWorld } from '../stages/shared-world'
import { openWorld, type World } from '../stages/world'

/** Mutations without an entry, and why. */
const EXEMPT: Partial<Record<ProcedurePath, string>> = {
  'connections.previewSource': 'changes nothing: it reads a source',
  'categories.choice': 'changes nothing: its input is too long for a URL',
  'invitations.open': 'changes nothing: its input is not for a URL',
  'recovery.open': 'changes nothing: its input is not for a URL',
  'secondFactor.prepare': 'changes nothing: its key is not for a cache',
  'passkeys.prepare': 'changes nothing: each challenge is answered once',
  'passkeys.prepareSignIn': 'changes nothing: each challenge is answered once',
  'confirmation.prepareByPasskey': 'changes nothing: each challenge is answered once',
  'recovery.request': 'anybody may ask; what comes of it is recorded',
  'alerts.markRead': 'keeps only what the user has seen',
  'suppliers.checkRetailers': 'changes nothing: its input is too long for a URL',
}
/** Need a sign-in at an identity provider: google-accounts.test.ts, acceptance.test.ts. */
const UNCALLABLE: ProcedurePath[] = ['session.google', 'invitations.acceptWithGoogle']

let world: World
const { restoreRows } = shareWorld(async (sourceServer) => (world = await openWorld(sourceServer)))

const listEntries = () =>
  world.testApp.deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()

async function callFor(mutation: MutationCall) {
  const call = await prepareCall(world, mutation)
  const known = (await listEntries()).length
  const { status, text } = await call()
  expect(status, text).toBeLessThan(300)
  // What comes of it in the background has entries of its own.
  return (await listEntries()).slice(known).filter(({ origin }) => origin !== 'worker')
}

describe('every mutation', () => {
  it('is called here or by another test', () => {
    const called = new Set(mutationCalls.map(({ row }) => row.procedure))
    const all = procedurePaths.filter((path) => definitionOf(path).type === 'mutation')
    expect(all.filter((path) => !called.has(path))).toEqual(UNCALLABLE)
  })

  it.each(mutationCalls.filter(({ row }) => !EXEMPT[row.procedure!]))(
    'writes what it does into the audit log: $name over $transport',
    async (call) => {
      const { actor } = call
      const entries = await callFor(call)
      expect(entries).not.toEqual([])
      for (const { actorId, origin, address } of entries) {
        expect([origin, address]).toEqual(['web', '127.0.0.1'])
        // Whoever signs in or registers is not signed in before.
        const isCaller = actor === 'anonymous' ? actorId !== null : actorId === world.userIds[actor]
        expect(isCaller).toBe(true)
      }
    },
  )

  it.each(mutationCalls.filter(({ row }) => EXEMPT[row.procedure!]))(
    'writes no entry when it changes nothing: $name over $transport',
    async (call) => {
      expect(await callFor(call)).toEqual([])
    },
  )

  it('leaves no password, hash or token in the audit log', async () => {
    const secrets = [PASSWORD, 'another horse', 'scrypt', 'argon', '$2', 'sealed', '/feeds/']
    for (const call of mutationCalls.filter(({ transport }) => transport === 'tRPC')) {
      await callFor(call)
      const text = JSON.stringify(await listEntries())
      expect([nameOf(call.row), secrets.filter((secret) => text.includes(secret))]).toEqual([
        nameOf(call.row),
        [],
      ])
      await world.testApp.deps.queue.idle()
      await restoreRows()
    }
  })
})

import { afterEach, beforeEach, expect, it } from 'vitest'

import { inTransaction } from '../db/open'
import { hashSecretToken } from '../domain/secret-token'
import { openByHandStage, type ByHandStage } from '../testing/stages/by-hand-stage'
import { createDesk, type Desk } from './desk'
import { fromInboxSchema, type ToInbox } from './messages'

const PASSWORD = 'drop-box-password'

let stage: ByHandStage
let desk: Desk
/** What the desk has answered, by the numbers of the questions. */
let answers: Map<number, ToInbox>
beforeEach(async () => {
  stage = await openByHandStage()
  const login = {
    connectionId: stage.id,
    username: 'drop',
    passwordHash: hashSecretToken(PASSWORD),
    publicKeys: [],
    createdAt: 0,
  }
  await inTransaction(stage.deps.db, (trx) =>
    trx
      .insertInto('sftpLogins')
      .values(login as never)
      .execute(),
  )
  answers = new Map()
  const note = (message: ToInbox) => 'id' in message && void answers.set(message.id, message)
  desk = createDesk(stage.deps, note, () => 0)
})
afterEach(async () => {
  await desk.close()
  await stage.close()
})

/** Asks as an inbox does that somebody has taken over. */
const ask = (question: object) => desk.take(fromInboxSchema.parse(question) as never, [])
const signIn = (id: number, session: number, password = PASSWORD) => {
  const proof = { kind: 'password', password }
  ask({ type: 'sign-in', id, session, username: 'drop', address: '', client: '', proof })
}
const typeOf = (id: number) => answers.get(id)?.type

it('a number is that of one session, even if two come at once', async () => {
  signIn(1, 7)
  signIn(2, 7)
  const types = () => new Set([typeOf(1), typeOf(2)])
  await expect.poll(types).toEqual(new Set(['refused', 'signed-in']))
  expect(desk.sessions()).toBe(1)
})

it('nothing is done for a session that has not signed in', async () => {
  signIn(1, 7, 'wrong')
  await expect.poll(() => typeOf(1)).toBe('refused')
  ask({ type: 'list', id: 2, session: 7 })
  ask({ type: 'put', id: 3, session: 7, upload: 1, name: 'stock.csv' })
  ask({ type: 'name', id: 4, upload: 1, name: 'stock.csv' })
  ask({ type: 'open', id: 5, session: 7, file: 1 })
  ask({ type: 'read', id: 6, file: 1, at: 0, length: 1 })
  await expect.poll(() => [2, 3, 4, 5, 6].map(typeOf)).toEqual(Array(5).fill('refused'))
  expect(await stage.received()).toEqual([])
})

it('more questions than an inbox can mean break the rules', async () => {
  signIn(1, 7)
  await expect.poll(() => typeOf(1)).toBe('signed-in')
  const flood = () => {
    for (let id = 2; id < 60_000; id++) ask({ type: 'list', id, session: 7 })
  }
  expect(flood).toThrow('more than it can mean')
})

it('names that are disguised, or are paths, break the rules', () => {
  const name = (text: string) => () =>
    ask({ type: 'put', id: 1, session: 1, upload: 1, name: text })
  for (const text of ['a\u202Evsc.csv', '../a.csv', 'a\0.csv', 'a'.repeat(300)]) {
    expect(name(text)).toThrow('"name"')
  }
})

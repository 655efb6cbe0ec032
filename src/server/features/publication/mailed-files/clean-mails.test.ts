import { afterEach, beforeEach, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import { createSecretBox } from '../../../secrets/secret-box'
import { putWaitingMail } from '../../../testing/fixtures/mails'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { TEST_KEY } from '../../../testing/stages/test-deps'
import { describeMissingKeys } from '../../operations/sealing/missing-keys'
import { resealAll } from '../../operations/sealing/sealing'
import { cleanMails } from './clean-mails'
import { createMailInbox, showMailInbox } from './mail-inboxes'
import { listMails } from './mails'

let stage: ByHandStage
beforeEach(async () => {
  stage = await openByHandStage({}, { mailInboxDomain: 'in.example.com' })
})
afterEach(() => stage.close())

const clean = () => cleanMails(stage.deps, new AbortController().signal)
const states = async () =>
  (await listMails(stage.deps, stage.supplier, stage.id)).map(({ state }) => state)
const told = async () => (await stage.deps.db.selectFrom('events').select('id').execute()).length

it('a mail waits a month, of whose end people are told three days before; then it is forgotten', async () => {
  const { clock } = stage.deps
  await putWaitingMail(stage.deps, stage.id)
  clock.advance(27 * DAY_MS)
  await clean()
  expect(await told()).toBe(0)
  clock.advance(1)
  await clean()
  await clean()
  expect([await told(), await states()]).toEqual([1, ['waiting']])
  clock.advance(3 * DAY_MS)
  await clean()
  expect([await told(), await states()]).toEqual([1, ['discarded']])
  clock.advance(30 * DAY_MS + 1)
  expect(await clean()).toBe(1)
  expect(await states()).toEqual([])
})

it('a mail is not discarded untold, however long nobody has cleaned up', async () => {
  await putWaitingMail(stage.deps, stage.id)
  stage.deps.clock.advance(90 * DAY_MS)
  await clean()
  expect([await told(), await states()]).toEqual([1, ['waiting']])
})

it('an address is encrypted anew, and its missing key is told', async () => {
  const { address } = await createMailInbox(stage.deps, stage.supplier, stage.id)
  const rows = await stage.deps.db.selectFrom('mailInboxes').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(address.split(/[+@]/)[1])
  const next = Buffer.alloc(32, 9)
  Object.assign(stage.deps.secrets, createSecretBox(next))
  expect(await describeMissingKeys(stage.deps)).toEqual([
    expect.stringContaining('The mail addresses of 1 connection'),
  ])
  const shown = showMailInbox(stage.deps, stage.supplier, stage.id)
  await expect(shown).rejects.toThrow('its encryption key is missing')
  Object.assign(stage.deps.secrets, createSecretBox(next, TEST_KEY))
  expect(await resealAll(stage.deps)).toMatchObject({ mailInboxes: { sealed: 1 } })
  Object.assign(stage.deps.secrets, createSecretBox(next))
  const { inbox } = await showMailInbox(stage.deps, stage.supplier, stage.id)
  expect(inbox?.address).toBe(address)
})

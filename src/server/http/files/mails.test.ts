import { createHmac } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createMailInbox } from '../../features/publication/mailed-files/mail-inboxes'
import { listMails } from '../../features/publication/mailed-files/mails'
import { writeMail } from '../../testing/fixtures/mails'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { MAIL_SECRET, openWorld, type World } from '../../testing/stages/world'

let sourceServer: SourceServer
let world: World
let address: string
beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  const { deps } = world.testApp
  address = (await createMailInbox(deps, world.supplier, world.connectionId)).address
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

type Headers = Record<string, string>

async function post(headers: Headers, payload = writeMail(), recipient = address) {
  const url = `/inbox/mail?recipient=${encodeURIComponent(recipient)}`
  const { app } = world.testApp
  const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload })
  return [statusCode, JSON.parse(body) as unknown]
}
const bearer = { authorization: `Bearer ${MAIL_SECRET}` }
const listed = () => listMails(world.testApp.deps, world.supplier, world.connectionId)

function sign(message: Buffer, { at = world.testApp.deps.clock.now(), secret = MAIL_SECRET } = {}) {
  const timestamp = String(Math.floor(at / 1_000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const hmac = createHmac('sha256', key).update(`m1.${timestamp}.`).update(message)
  return {
    'webhook-id': 'm1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac.digest('base64')}`,
  }
}

describe('a mail that a program sends', () => {
  it.each([
    ['as a Bearer token', bearer],
    [
      'as a password',
      { authorization: `Basic ${Buffer.from(`x:${MAIL_SECRET}`).toString('base64')}` },
    ],
  ])('with the secret %s is settled', async (_, headers) => {
    expect(await post(headers)).toEqual([200, { state: 'waiting' }])
    expect(await listed()).toHaveLength(1)
  })

  it('with a signature is settled, whose body and time are right', async () => {
    const message = writeMail()
    expect(await post(sign(message), message)).toEqual([200, { state: 'waiting' }])
    const other = writeMail({ subject: 'Another one', id: '<2@acme.example>' })
    const old = sign(other, { at: world.testApp.deps.clock.now() - 6 * 60_000 })
    const strange = sign(other, { secret: `whsec_${Buffer.alloc(24).toString('base64')}` })
    for (const headers of [sign(message), old, strange]) {
      expect((await post(headers, other))[0]).toBe(401)
    }
    expect(await listed()).toHaveLength(1)
  })

  it.each([
    ['no secret', {}],
    ['a wrong one', { authorization: 'Bearer whsec_other' }],
  ])('with %s is refused', async (_, headers: Headers) => {
    expect((await post(headers))[0]).toBe(401)
    expect(await listed()).toEqual([])
  })

  it('is refused for good where nobody has the address, and where it has no table', async () => {
    const unknown = address.replace('+', '+a')
    expect((await post(bearer, writeMail(), unknown))[0]).toBe(404)
    expect((await post(bearer, writeMail({ attachments: [] })))[0]).toBe(400)
  })

  it('is to come again later when there is no room for it', async () => {
    world.testApp.deps.limits.receiveMail = { max: 1, windowMs: 60_000 }
    expect((await post(bearer))[0]).toBe(200)
    expect((await post(bearer))[0]).toBe(503)
  })

  it('is not guessed at: wrong secrets are counted by address, and right ones still work', async () => {
    world.testApp.deps.limits.wrongMailSecretsFromAddress = { max: 1, windowMs: 60_000 }
    expect((await post({}))[0]).toBe(401)
    expect((await post({}))[0]).toBe(429)
    expect((await post(bearer))[0]).toBe(200)
  })
})

it('is unknown without a secret', async () => {
  world.testApp.deps.config.mailInboxSecret = undefined
  expect((await post(bearer))[0]).toBe(404)
})

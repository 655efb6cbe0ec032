import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { withCaller } from '../../../domain/caller'
import { ADDRESS, createAdmin, createSupplierUser } from '../../../testing/fixtures/factories'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { cleanUp } from '../../../testing/stages/clean-up'
import { resetPassword } from '../../people/accounts/accounts'
import { createUploadLink, listUploadLinks, revokeUploadLinks } from './upload-links'
import { readUploadPage, receiveByLink } from './upload-page'

let stage: ByHandStage
beforeEach(async () => {
  stage = await openByHandStage()
})
afterEach(() => stage.close())

const create = async () =>
  (await createUploadLink(stage.deps, stage.supplier, stage.id)).path.split('/')[2] ?? ''
const list = () => listUploadLinks(stage.deps, stage.supplier, stage.id)
const opens = (token: string) =>
  readUploadPage(stage.deps, token).then(
    () => true,
    (error: Error) => error.message,
  )

describe('an upload link', () => {
  it('has a token of 256 random bits, of which only a hash is stored', async () => {
    const token = await create()
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const rows = await stage.deps.db.selectFrom('uploadLinks').selectAll().execute()
    expect(rows).toMatchObject([
      { tokenHash: createHash('sha256').update(token).digest('hex'), tokenEnd: token.slice(-4) },
    ])
    const entries = await stage.deps.db.selectFrom('auditEntries').selectAll().execute()
    expect(JSON.stringify([rows, entries])).not.toContain(token)
  })

  it('works a day longer when another one is created, and no longer when it is revoked', async () => {
    const first = await create()
    stage.deps.clock.advance(HOUR_MS)
    const second = await create()
    expect((await list()).map(({ tokenEnd }) => tokenEnd)).toEqual([
      second.slice(-4),
      first.slice(-4),
    ])
    stage.deps.clock.advance(DAY_MS - 1)
    expect(await opens(first)).toBe(true)
    stage.deps.clock.advance(1)
    expect([await opens(first), await opens(second)]).toEqual(['Upload link not found', true])
    expect(await cleanUp(stage.deps)).toContain('1 replaced upload link')
    await revokeUploadLinks(stage.deps, stage.supplier, stage.id)
    expect(await opens(second)).toBe('Upload link not found')
    expect(await list()).toEqual([])
  })

  it.each([
    [true, 'Upload link not found'],
    [false, true],
  ])(
    'with a new password, if links are to end with it: %s',
    async (endsFeedAddresses, expected) => {
      const token = await create()
      const admin = await createAdmin(stage.deps)
      const input = { userId: stage.supplier.id, newPassword: 'another horse', endsFeedAddresses }
      await withCaller({ origin: 'web', actor: admin, address: ADDRESS }, () =>
        resetPassword(stage.deps, admin, input, ADDRESS),
      )
      expect(await opens(token)).toBe(expected)
    },
  )

  it('shows that a file is held, and nothing of the one that is published', async () => {
    const rows = (count: number) =>
      `sku,qty\n${Array.from({ length: count }, (_, row) => `A-${row},5\n`).join('')}`
    for (const [name, count] of [
      ['all.csv', 40],
      ['few.csv', 2],
    ] as const) {
      await stage.send(name, rows(count))
      await stage.deps.work()
    }
    expect((await stage.received())[0]?.message).toContain('the published file has 40')
    expect((await readUploadPage(stage.deps, await create())).files[0]).toMatchObject({
      state: 'held',
      message: 'It differs much from the last good file. The supplier decides whether it is used.',
    })
  })

  it('that is revoked while a file is sent publishes nothing', async () => {
    const token = await create()
    const user = { address: ADDRESS, userAgent: undefined }
    async function* body() {
      yield Buffer.from('sku,qty\n')
      await revokeUploadLinks(stage.deps, stage.supplier, stage.id)
      yield Buffer.from('1,5\n')
    }
    const sent = receiveByLink(stage.deps, token, user, () => ({
      file: { fileName: 'stock.csv', sha256: null, body: body() },
      signal: new AbortController().signal,
    }))
    await expect(sent).rejects.toThrow('Upload link not found')
    expect(await stage.received()).toEqual([])
  })

  it('of other suppliers is not found', async () => {
    const stranger = await createSupplierUser(stage.deps)
    for (const call of [listUploadLinks, createUploadLink, revokeUploadLinks]) {
      await expect(call(stage.deps, stranger, stage.id)).rejects.toThrow('Connection not found')
    }
  })
})

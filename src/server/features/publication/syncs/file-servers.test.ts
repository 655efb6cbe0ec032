import { afterEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import { maskAddress } from '../../../../shared/masked-address'
import type { TransferInput } from '../../../../shared/schemas/transfer'
import { KEYGEN_KEYS, makeSshKey, PASSPHRASE } from '../../../testing/fixtures/ssh-keys'
import {
  SFTP_PASSWORD,
  SFTP_USER,
  type SftpServer,
  type SftpServerOptions,
  startSftpServer,
} from '../../../testing/servers/sftp-server'
import { type ByHandStage, openByHandStage } from '../../../testing/stages/by-hand-stage'
import { updateConnection } from '../../catalogue/connections/connections'
import { previewSource } from '../../catalogue/connections/source-preview'
import { discardVersion, publishVersion } from '../publishing/publications'
import { listVersionHistory } from '../publishing/version-list'
import { pageTimeline } from '../timeline/timeline'

const HEADER = 'sku,name,qty\r\n'
const ROWS = Array.from({ length: 40 }, (_, row) => `${row},Item ${row},5\r\n`)
const FILE = HEADER + ROWS.join('')
const NEXT = `${FILE}40,Item 40,5\r\n`
/** So much shorter that it is held. */
const SHORT = HEADER + ROWS[0]
/** Before the clock of the stage. */
const JANUARY = Date.UTC(2026, 0, 10)

let server: SftpServer
let stage: ByHandStage

async function open(
  path: string,
  transfer: TransferInput = {},
  options: SftpServerOptions = {},
  auth: object = { type: 'basic', username: SFTP_USER, password: SFTP_PASSWORD },
) {
  server = await startSftpServer(options)
  server.put('/in/stock.csv', FILE, JANUARY)
  const config = {
    url: server.url(path),
    auth,
    transfer: { hostKeys: server.publicKeys, ...transfer },
  }
  stage = await openByHandStage(config, { fetchAllow: [server.host] })
}
afterEach(async () => {
  await stage.close()
  await server.close()
})

async function sync() {
  stage.deps.clock.advance(HOUR_MS)
  await stage.deps.work()
  return stage.current()
}
const names = () => [...server.state.files.keys()].toSorted()
const change = (changes: Omit<Parameters<typeof updateConnection>[2], 'id'>) =>
  updateConnection(stage.deps, stage.supplier, { id: stage.id, ...changes })

describe('a file at an SFTP server', () => {
  it('is published, read again only once it has changed, and its key and secrets are not shown', async () => {
    await open('/in/stock.csv')
    const { config, lastError } = await sync()
    expect(lastError).toBeNull()
    expect(await stage.publishedText()).toBe(FILE)
    expect(config).toEqual({
      url: server.url('/in/stock.csv'),
      auth: { type: 'basic', username: SFTP_USER, password: '••••••' },
      transfer: {
        hostKeys: [expect.stringMatching(/^ssh-ed25519 SHA256:/)],
        usesTls: true,
        allowsOld: false,
        hasPattern: false,
        afterReading: { action: 'leave' },
      },
    })
    const { opened } = server.state
    await sync()
    expect(server.state.opened).toBe(opened)
    server.put('/in/stock.csv', NEXT, JANUARY + HOUR_MS)
    await sync()
    expect(await stage.publishedText()).toBe(NEXT)
  })

  it('leaves the last good file when its server shows another key, until that is confirmed', async () => {
    await open('/in/stock.csv')
    await sync()
    const { config } = await stage.current()
    const { publicKey: other } = await makeSshKey('ed25519')
    await change({ config: { url: config.url, transfer: { hostKeys: [other] } } })
    server.state.signIns.length = 0
    const failed = await sync()
    expect(failed.lastError).toContain('another key than the confirmed one')
    expect(server.state.signIns).toEqual([])
    expect(await stage.publishedText()).toBe(FILE)
    await change({ config: { url: config.url, transfer: config.transfer } })
    expect((await sync()).lastError).toBeNull()
  })

  it('is told of in the audit log: which keys are confirmed, and what becomes of files', async () => {
    await open('/in/stock.csv')
    const { config } = await stage.current()
    const [key] = config.transfer?.hostKeys ?? []
    const transfer = { allowsOld: true, afterReading: { action: 'delete' } } as const
    await change({ config: { url: config.url, transfer: { ...transfer, hostKeys: [] } } })
    const { changes } = await stage.deps.db
      .selectFrom('auditEntries')
      .select('changes')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'serverKeys', before: key }),
        expect.objectContaining({ field: 'allowsOld', before: 'no', after: 'yes' }),
        expect.objectContaining({ field: 'afterReading', before: 'leave', after: 'delete' }),
      ]),
    )
  })

  it('is previewed only after its key was confirmed, which the refusal tells', async () => {
    await open('/in/stock.csv')
    const { config } = await stage.current()
    const preview = (hostKeys: string[]) =>
      previewSource(stage.deps, stage.supplier, {
        url: config.url,
        connectionId: stage.id,
        transfer: { hostKeys },
      })
    const refusal = await preview([]).catch((error: unknown) => error)
    const [hostKey] = config.transfer?.hostKeys ?? []
    expect(refusal).toMatchObject({
      code: 'INVALID',
      reason: 'host_key_unconfirmed',
      hostKey,
      field: 'config.transfer.hostKeys',
    })
    expect((await preview([hostKey ?? ''])).rows).toHaveLength(ROWS.length)
  })

  it('is read with a private key, which is stored without its passphrase', async () => {
    const { privateKey, publicKey } = await makeSshKey('ed25519')
    await open(
      '/in/stock.csv',
      {},
      { publicKey },
      { type: 'ssh-key', username: SFTP_USER, privateKey },
    )
    expect((await sync()).lastError).toBeNull()
    const locked = {
      type: 'ssh-key',
      username: SFTP_USER,
      privateKey: KEYGEN_KEYS.rsa.locked,
    } as const
    const { url } = (await stage.current()).config
    const save = (passphrase: string) =>
      change({ config: { url, auth: { ...locked, passphrase } } })
    await expect(save('wrong')).rejects.toMatchObject({ field: 'config.auth.passphrase' })
    const { config } = await save(PASSPHRASE)
    expect(config.auth).toEqual({ type: 'ssh-key', username: SFTP_USER, privateKey: '••••••' })
    const { lastError } = await sync()
    expect(lastError).toBe('The server does not accept this user name and private key.')
  })

  it('keeps a user name and password that were typed in its address out of it', async () => {
    await open('/in/stock.csv')
    const typed = server.url('/in/stock.csv').replace('//', `//${SFTP_USER}:${SFTP_PASSWORD}@`)
    const { config } = await change({ config: { url: typed } })
    expect(config).toMatchObject({
      url: server.url('/in/stock.csv'),
      auth: { type: 'basic', username: SFTP_USER, password: '••••••' },
    })
    expect((await sync()).lastError).toBeNull()
  })
})

describe('an address with a pattern', () => {
  it('publishes the newest file, whose name stands with it wherever it is shown', async () => {
    await open('/in/stock_*.csv')
    server.put('/in/stock_1.csv', FILE, JANUARY)
    server.put('/in/stock_2.csv', NEXT, JANUARY + HOUR_MS)
    await sync()
    expect(await stage.publishedText()).toBe(NEXT)
    const { deps, supplier, id } = stage
    const { versions } = await listVersionHistory(deps, supplier, id)
    expect(versions).toMatchObject([{ source: { fileName: 'stock_2.csv' } }])
    const { items } = await pageTimeline(deps, supplier, { id })
    expect(items).toContainEqual(
      expect.objectContaining({
        source: { fileName: 'stock_2.csv', origin: null, received: null },
      }),
    )
    const { config } = await stage.current()
    const preview = await previewSource(deps, supplier, { url: config.url, connectionId: id })
    expect(preview.dialect.fileName).toBe('stock_2.csv')
  })

  it('cannot be used for files that have only what has changed', async () => {
    await open('/in/stock_*.csv')
    const updates = { removal: null, fullName: null, nextIsFull: true }
    await expect(change({ updates })).rejects.toMatchObject({ field: 'config.url' })
    // Also once the address was sent back masked, as administrators see it.
    const url = server.url('/in/stock_of_the_whole_company_*.csv')
    await change({ config: { url } })
    await change({ config: { url: maskAddress(url), transfer: { allowsOld: true } } })
    await expect(change({ updates })).rejects.toMatchObject({ field: 'config.url' })
  })
})

describe('a file that was read', () => {
  const MOVE = { afterReading: { action: 'move', folder: 'done' } } as const
  const DELETE = { afterReading: { action: 'delete' } } as const

  it.each([
    ['moved', MOVE, ['/in/done/stock.csv']],
    ['deleted', DELETE, []],
  ])(
    'is %s once it is published, and then nothing new is no fault',
    async (_name, transfer, left) => {
      await open('/in/stock.csv', transfer)
      await sync()
      expect(await stage.publishedText()).toBe(FILE)
      expect(names()).toEqual(left)
      expect(await sync()).toMatchObject({ lastError: null, consecutiveFailures: 0 })
      server.put('/in/stock.csv', NEXT, JANUARY + HOUR_MS)
      await sync()
      expect(await stage.publishedText()).toBe(NEXT)
      expect(names()).not.toContain('/in/stock.csv')
    },
  )

  it('never takes the place of another one in its folder', async () => {
    await open('/in/stock.csv', MOVE)
    server.put('/in/done/stock.csv', 'of yesterday', JANUARY)
    await sync()
    expect(server.state.files.get('/in/done/stock.csv')?.content.toString()).toBe('of yesterday')
    expect(names()).toHaveLength(2)
    expect(names()).not.toContain('/in/stock.csv')
  })

  it.each([
    ['published', publishVersion],
    ['decided against', discardVersion],
  ])('and is held stays until it is %s', async (_name, decide) => {
    await open('/in/stock.csv', MOVE)
    await sync()
    server.put('/in/stock.csv', SHORT, JANUARY + HOUR_MS)
    expect((await sync()).status).toBe('held')
    await sync()
    expect(names()).toContain('/in/stock.csv')
    const { deps, supplier, id } = stage
    const { versions } = await listVersionHistory(deps, supplier, id)
    await decide(deps, supplier, { id, versionId: versions[0]!.id })
    await deps.work()
    expect(names()).not.toContain('/in/stock.csv')
    expect(await sync()).toMatchObject({ lastError: null })
  })

  it('stays if another one of its name has come meanwhile', async () => {
    await open('/in/stock.csv', DELETE)
    server.state.onRemove = () => 'refused'
    expect((await sync()).afterReadingError).toContain('may not do that')
    server.state.onRemove = undefined
    server.put('/in/stock.csv', NEXT, JANUARY + HOUR_MS)
    await sync()
    expect(await stage.publishedText()).toBe(NEXT)
    expect((await stage.current()).afterReadingError).toBeUndefined()
  })

  it('and cannot be moved is told, fails nothing, and is tried again', async () => {
    await open('/in/stock.csv', DELETE)
    server.state.onRemove = () => 'refused'
    expect(await sync()).toMatchObject({ lastError: null, status: 'synced' })
    expect(names()).toEqual(['/in/stock.csv'])
    server.state.onRemove = undefined
    expect((await sync()).afterReadingError).toBeUndefined()
    expect(names()).toEqual([])
  })

  it('is not followed by an older one that fits the pattern', async () => {
    await open('/in/stock_*.csv', MOVE)
    server.put('/in/stock_1.csv', NEXT, JANUARY)
    server.put('/in/stock_2.csv', FILE, JANUARY + HOUR_MS)
    await sync()
    await sync()
    expect(await stage.publishedText()).toBe(FILE)
    server.put('/in/stock_0.csv', NEXT, JANUARY + 2 * HOUR_MS)
    await sync()
    expect(await stage.publishedText()).toBe(NEXT)
  })

  it('is followed by one of the same time with a later name, and by none with an earlier one', async () => {
    await open('/in/stock_*.csv', MOVE)
    server.put('/in/stock_1.csv', NEXT, JANUARY)
    server.put('/in/stock_2.csv', FILE, JANUARY)
    await sync()
    await sync()
    expect(await stage.publishedText()).toBe(FILE)
    server.put('/in/stock_3.csv', NEXT, JANUARY)
    await sync()
    expect(await stage.publishedText()).toBe(NEXT)
  })

  it('and could not be moved is read again by other settings', async () => {
    await open('/in/stock_*.csv', DELETE)
    server.put('/in/stock_1.csv', FILE, JANUARY)
    server.state.onRemove = () => 'refused'
    await sync()
    const { opened } = server.state
    await change({ columnRoles: { ...(await stage.current()).columnRoles, sku: 'sku' } })
    expect((await sync()).lastError).toBeNull()
    expect(server.state.opened).toBe(opened + 1)
  })

  it('says nothing of another address: that there is no file at it is a fault', async () => {
    await open('/in/stock.csv', DELETE)
    await sync()
    await change({ config: { url: server.url('/in/stok.csv') } })
    expect((await sync()).lastError).toContain('no file of this name')
  })

  it('is read again once files are left where they are', async () => {
    await open('/in/stock_*.csv', DELETE)
    server.put('/in/stock_1.csv', FILE, JANUARY)
    server.state.onRemove = () => 'refused'
    await sync()
    const { config } = await stage.current()
    await change({ config: { url: config.url, transfer: { afterReading: { action: 'leave' } } } })
    expect(await sync()).toMatchObject({ lastError: null, status: 'synced' })
  })

  it('has to stay where it is joined with that of a second address', async () => {
    await open('/in/stock.csv', MOVE)
    const overlay = {
      url: 'https://example.com/a.csv',
      onlyInFile: 'keep',
      onlyInOverlay: 'leave-out',
    } as const
    await expect(change({ overlay })).rejects.toThrow('has to stay at its server')
  })
})

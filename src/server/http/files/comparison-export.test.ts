import { readdir } from 'node:fs/promises'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { draftsFolderOf } from '../../storage/file-store-disk'
import {
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../../testing/fixtures/factories'
import { loseContent } from '../../testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { openWorld, type World } from '../../testing/stages/world'

let sourceServer: SourceServer
let world: World

const deps = () => world.testApp.deps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  await removeGuards(deps())
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

/** Publishes a file and returns its name. */
async function publish(body: string): Promise<string> {
  sourceServer.set('/inventory.csv', { body })
  await deps().db.updateTable('connections').set({ nextSyncAt: deps().clock.now() }).execute()
  await deps().work()
  const files = await deps().db.selectFrom('versions').selectAll().orderBy('id').execute()
  return files.at(-1)?.fileName ?? ''
}

const ask = (older: string, newer: string, method = 'GET', query = '') =>
  world.clients.owningSupplier.request(
    method,
    `/api/connections/${world.connectionId}/files/${newer}/changes-from/${older}${query}`,
  )

const listDrafts = () => readdir(draftsFolderOf(deps().config.filesDir))

describe('the download of changes', () => {
  it('is a CSV file named after the connection and the day of the newer file', async () => {
    const older = await publish('sku,name,qty\n1,Boot,5\n2,Hat,3\n')
    const newer = await publish('sku,name,qty\n3,=x,1\n2,Hat,0\n')
    const { status, headers, text } = await ask(older, newer)
    expect(status).toBe(200)
    expect(text.split('\r\n')).toEqual([
      '\uFEFFsku,change,name before,name after,qty before,qty after',
      "3,added,,'=x,,1",
      '2,changed,,,3,0',
      '1,removed,Boot,,5,',
      '',
    ])
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': `${Buffer.byteLength(text)}`,
      'cache-control': 'private, no-store',
      'content-security-policy': 'sandbox',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="Changes-[\w-]+-\d{4}-\d\d-\d\d\.csv"$/,
      ),
    })
    await expect.poll(listDrafts).toEqual([])
    expect(await ask(older, newer, 'HEAD')).toMatchObject({ status: 200, text: '' })
    expect((await ask(newer, older)).text).toContain('\r\n3,removed,')
  })

  it('has the items that are wanted', async () => {
    const older = await publish('sku,qty\nA-1,5\nA-2,3\nB-3,1\n')
    const newer = await publish('sku,qty\nA-1,4\nA-2,2\n')
    const { text } = await ask(older, newer, 'GET', '?kind=quantity&q=a-2')
    expect(text.split('\r\n').slice(1)).toEqual(['A-2,changed,3,2', ''])
    expect(await ask(older, newer, 'GET', '?kind=size')).toMatchObject({ status: 400 })
  })

  it('tells why two files cannot be compared', async () => {
    const older = await publish('sku,qty\n1,5\n2,3\n')
    const keyless = await publish('name,colour\na,b\nc,d\n')
    const refusal = (message: RegExp) => ({
      status: 409,
      body: { message: expect.stringMatching(message) },
    })
    expect(await ask(older, keyless)).toMatchObject(
      refusal(/^The “To” file was stored without a column of SKUs\. You can choose it/),
    )
    expect(await ask(keyless, older)).toMatchObject(refusal(/^The “From” file was stored without/))
    expect(await ask(keyless, keyless)).toMatchObject(refusal(/^The “From” .+ The “To” file was/))
    const other = await publish('product code,qty\n1,5\n2,3\n')
    expect(await ask(older, other)).toMatchObject(
      refusal(/different columns: “sku” and “product code”/),
    )
    await deps()
      .db.updateTable('versions')
      .set({ rowCount: 1_200_000 })
      .where('fileName', '=', keyless)
      .execute()
    expect(await ask(keyless, older)).toMatchObject(
      refusal(/more than 1,048,576 rows are not compared. The “From” file has 1,200,000\./),
    )
    const { sha256 } = await deps()
      .db.selectFrom('versions')
      .select('sha256')
      .where('fileName', '=', older)
      .executeTakeFirstOrThrow()
    await loseContent(deps().files, sha256)
    expect(await ask(older, older)).toMatchObject(
      refusal(/^The “From” file is no longer stored\.$/),
    )
  })

  it('does not find files of another connection', async () => {
    const own = await publish('sku,qty\n1,5\n2,3\n')
    const other = await createSupplierUser(deps())
    sourceServer.set('/other.csv', { body: 'sku,qty\n7,7\n' })
    await createSupplierConnection(deps(), other, sourceServer.url('/other.csv'))
    await deps().work()
    const foreign = await deps()
      .db.selectFrom('versions')
      .select('fileName')
      .where('connectionId', '!=', world.connectionId)
      .executeTakeFirstOrThrow()
    expect(await ask(foreign.fileName, own)).toMatchObject({ status: 404 })
    expect(await ask(own, foreign.fileName)).toMatchObject({ status: 404 })
  })

  it('waits for the one that the user is already loading', async () => {
    const older = await publish('sku,qty\n1,5\n2,3\n')
    const newer = await publish('sku,qty\n1,5\n2,4\n')
    const release = await deps().changeLists.acquire(
      world.supplier.id,
      new AbortController().signal,
    )
    let isAnswered = false
    const asked = ask(older, newer).finally(() => (isAnswered = true))
    await ask(older, newer, 'HEAD')
    expect(isAnswered).toBe(false)
    release()
    expect(await asked).toMatchObject({ status: 200 })
    expect(await ask(older, newer)).toMatchObject({ status: 200 })
  })

  it('can be tried again when its scratch file is gone', async () => {
    const older = await publish('sku,qty\n1,5\n2,3\n')
    const newer = await publish('sku,qty\n1,5\n2,4\n')
    const { run } = deps().readers
    deps().readers.run = async (...task) => {
      const result = await run(...task)
      await deps().files.removeDrafts(async () => new Set())
      return result
    }
    expect(await ask(older, newer)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    deps().readers.run = run
    expect(await ask(older, newer)).toMatchObject({ status: 200 })
    await expect.poll(listDrafts).toEqual([])
  })
})

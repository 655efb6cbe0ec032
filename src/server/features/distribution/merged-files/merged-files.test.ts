import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import { saveMergedFileInput } from '../../../../shared/schemas/merged-file'
import { inTransaction } from '../../../db/open'
import { FileInPreparation } from '../../../domain/file-in-preparation'
import { FileError } from '../../../files/file-error'
import { storeContent } from '../../../testing/fixtures/stored-files'
import {
  type MergedFileStage,
  openMergedFileStage,
} from '../../../testing/stages/merged-file-stage'
import { createFeedFiles, WHOLE } from '../downloads/feed-file'
import { createGroup, updateGroup } from '../groups/groups'
import { assignGroup } from '../groups/members'
import { updateRetailer } from '../retailers/retailers'
import { cleanStorage } from '../stored-files/storage-cleaning'
import {
  endMergedAddressesOf,
  getMergedFile,
  revokeMergedAddresses,
  saveMergedFile,
} from './merged-file'
import { openMergedDownload, openMergedRead } from './merged-reads'
import { listMergedVersions } from './merged-versions.queries'
import { saveMatching } from './save-matching'

const EAN = '4006381333931'

let stage: MergedFileStage
beforeEach(async () => {
  stage = await openMergedFileStage()
})
afterEach(() => stage.close())

/** Two suppliers that share an item, merged with the first one preferred. */
async function mergeTwo(rules: object = { quantity: 'sum' }, profile: object = { kind: 'stock' }) {
  const north = await stage.addSupplier(
    `sku,ean,qty,category\r\nN1,${EAN},2,Shoes\r\nN2,,5,Hats\r\n`,
  )
  const south = await stage.addSupplier(`code,barcode,stock\r\nS1,${EAN},3\r\nS2,,7\r\n`)
  const parts = [
    { retailerId: north.retailerId, prefix: 'N-' },
    { retailerId: south.retailerId, prefix: 'S-' },
  ]
  await stage.save({ rules, profile, parts })
  return { north, south, parts, token: await stage.address() }
}

const sorted = ({ rows: [, ...rows] }: { rows: string[][] }) =>
  rows.map((row) => row.join()).toSorted()
const PREPARING = 'Your file is being prepared'

describe('a merged file', () => {
  it('is served at an address of its own, in the format of the shop', async () => {
    const { token } = await mergeTwo()
    const file = await stage.read(token)
    expect(sorted(file)).toEqual([`0${EAN},5`, 'N-N2,5', 'S-S2,7'])
    expect(file).toMatchObject({ rowCount: 3, isDelta: false, form: { extension: 'csv' } })
    await file.onRead?.({ userAgent: 'curl/8', isSent: true })
    const shown = await getMergedFile(stage.deps, stage.retailer)
    expect(shown).toMatchObject({ readCount: 1, addresses: [{ lastClient: 'curl' }] })
    expect(shown.file).toMatchObject({ rowCount: 3, sharedCount: 1, unmatchedCount: 2 })
    await expect(stage.read('unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await inTransaction(stage.deps.db, (trx) =>
      endMergedAddressesOf(trx, stage.deps, stage.retailer),
    )
    await expect(stage.read(token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await stage.address()
    const other = await stage.address(true)
    await expect(stage.read(token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await stage.read(other)).sha256).toBe(file.sha256)
  })

  it('follows its parts, and tells what has changed and what is gone', async () => {
    const { north, token } = await mergeTwo()
    const before = await stage.read(token)
    await stage.publish(north.supplier, `sku,ean,qty,category\r\nN1,${EAN},4,Shoes\r\n`)
    await stage.settle()
    const after = await stage.read(token)
    expect(sorted(after)).toEqual([`0${EAN},7`, 'N-N2,0', 'S-S2,7'])
    await expect(stage.read(token, before.version)).rejects.toThrow(PREPARING)
    await stage.settle()
    const delta = await stage.read(token, before.version)
    expect(delta.isDelta).toBe(true)
    expect(sorted(delta)).toEqual([`0${EAN},7,changed`, 'N-N2,0,changed'])
    expect((await stage.read(token, 'x'.repeat(22))).isDelta).toBe(false)
  })

  it('is told as a whole where what has changed cannot be written', async () => {
    const { north, token } = await mergeTwo()
    const before = await stage.read(token)
    await stage.publish(north.supplier, `sku,ean,qty,category\r\nN1,${EAN},4,Shoes\r\n`)
    await stage.settle()
    await expect(stage.read(token, before.version)).rejects.toThrow(PREPARING)
    const { run } = stage.deps.readers
    stage.deps.readers.run = async (kind, ...rest) => {
      if (kind === 'delta') throw new FileError('too-large', 'It is too large.')
      return run(kind, ...rest)
    }
    await stage.settle()
    const whole = await stage.read(token, before.version)
    expect(whole).toMatchObject({ isDelta: false, sha256: (await stage.read(token)).sha256 })
  })

  it('keeps a part as it was whose file is held or fails, and says from when the oldest is', async () => {
    const { north, south, token } = await mergeTwo()
    const before = await stage.read(token)
    await stage.publish(north.supplier, '')
    stage.deps.clock.advance(HOUR_MS)
    await stage.publish(south.supplier, 'code,barcode,stock\r\nS2,,8\r\n')
    await stage.settle()
    const after = await stage.read(token)
    expect(sorted(after)).toEqual([`0${EAN},2`, 'N-N2,5', 'S-S2,8'])
    expect(after.dataAsOf).toBe(before.dataAsOf)
    // A file that it cannot use is no reason to lose what it has.
    await stage.publish(south.supplier, 'code,barcode,colour\r\nS2,,red\r\n')
    await stage.settle()
    expect(sorted(await stage.read(token))).toEqual([`0${EAN},2`, 'N-N2,5', 'S-S2,8'])
    const shown = await getMergedFile(stage.deps, stage.retailer)
    expect(shown.relations[1]?.part?.failure).toContain('the quantity')
  })

  it('counts the quantities of old parts as 0', async () => {
    const { north, south, token } = await mergeTwo({ quantity: 'sum', maxAgeHours: 24 })
    await stage.publish(north.supplier, '')
    stage.deps.clock.advance(20 * HOUR_MS)
    await stage.publish(south.supplier, `code,barcode,stock\r\nS1,${EAN},3\r\n`)
    await stage.settle(5 * HOUR_MS)
    expect(sorted(await stage.read(token))).toEqual([`0${EAN},3`, 'N-N2,0', 'S-S2,0'])
  })

  it('is never served with rows of a relation that has ended, nor with what was hidden since', async () => {
    const { north, south, token } = await mergeTwo()
    const before = await stage.read(token)
    await stage.deps.db.deleteFrom('retailers').where('id', '=', north.retailerId).execute()
    await expect(stage.read(token)).rejects.toThrow(PREPARING)
    await stage.settle(0)
    const after = await stage.read(token, before.version)
    expect(after.isDelta).toBe(false)
    expect(sorted(after)).toEqual([`0${EAN},3`, 'S-S2,7'])
    await updateRetailer(stage.deps, south.supplier, {
      id: south.retailerId,
      visibilitySettings: { allProducts: false, categories: ['Shoes'] },
    })
    await expect(stage.read(token)).rejects.toThrow(PREPARING)
    await stage.settle(0)
    expect(sorted(await stage.read(token))).toEqual([])
  })

  it('is not remembered with rows that a group sees no more', async () => {
    const { north, token } = await mergeTwo()
    const { deps } = stage
    const group = await createGroup(deps, north.supplier, {
      name: 'Boutiques',
      isForNewcomers: false,
      visibilitySettings: { allProducts: true, categories: [] },
      syncFrequency: 60,
    })
    const { id: groupId } = group
    await assignGroup(deps, north.supplier, { ids: [north.retailerId], groupId })
    const feedFiles = createFeedFiles(deps, openMergedRead)
    const reader = { address: '127.0.0.1', authorization: undefined, userAgent: undefined }
    const open = () => feedFiles.open(token, { ...WHOLE, reader })
    for (let count = 0; count < 2; count++) expect(await open()).toMatchObject({ rowCount: 3 })
    const visibilitySettings = { allProducts: false, categories: ['Hats'] }
    await updateGroup(deps, north.supplier, { id: groupId, visibilitySettings })
    await expect(open()).rejects.toThrow(PREPARING)
    await stage.settle(0)
    expect(sorted(await stage.read(token))).toEqual([`0${EAN},3`, 'N-N2,5', 'S-S2,7'])
  })

  it('has only what each relation may see, and no relation of others', async () => {
    const seen = await stage.addSupplier('sku,qty,category\r\n1,1,Shoes\r\n2,2,Hats\r\n', ['Shoes'])
    const parts = [{ retailerId: seen.retailerId, prefix: 'A-' }]
    await stage.save({ rules: {}, profile: { kind: 'asIs' }, parts })
    const file = await stage.read(await stage.address())
    expect(file.rows.map(([sku]) => sku)).toEqual(['sku', 'A-1'])
    const other = [{ retailerId: seen.retailerId + 100, prefix: 'B-' }]
    const save = stage.save({ rules: {}, profile: {}, parts: other })
    await expect(save).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is made anew at once when its matching file is replaced, and at most once a minute otherwise', async () => {
    const { south, token } = await mergeTwo()
    const csv = 'prefix;supplier_sku;gtin;sku\nN-;N2;;mine\nS-;S2;;mine\n'
    const counts = await saveMatching(stage.deps, stage.retailer, { csv })
    expect(counts).toEqual({ used: 2, unusable: 0, repeated: 0 })
    await stage.settle(0)
    expect(sorted(await stage.read(token))).toEqual([`0${EAN},5`, 'N-N2,0', 'S-S2,0', 'mine,12'])
    await stage.publish(south.supplier, 'code,barcode,stock\r\nS2,,1\r\n')
    await stage.settle(1_000)
    expect(sorted(await stage.read(token))).toContain('mine,12')
    await stage.settle()
    expect(sorted(await stage.read(token))).toContain('mine,6')
    const wrong = saveMatching(stage.deps, stage.retailer, { csv: 'a,b\n1,2\n' })
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID' })
  })

  it('makes other forms when they are asked for', async () => {
    const { token } = await mergeTwo({ quantity: 'first' }, { kind: 'workbook' })
    expect((await stage.read(token)).form.extension).toBe('xlsx')
    await expect(stage.read(token, null, 'json')).rejects.toThrow(PREPARING)
    await stage.settle(0)
    const { content, form } = await stage.read(token, null, 'json')
    expect(form.extension).toBe('ndjson')
    expect(content).toContain(`"sku":"0${EAN}"`)
  })

  it('keeps its files through a clean-up, which removes those of no use', async () => {
    const { north, token } = await mergeTwo()
    for (const quantity of [1, 2, 3]) {
      await stage.publish(north.supplier, `sku,ean,qty,category\r\nN9,,${quantity},Hats\r\n`)
      await stage.settle()
    }
    const { sha256: unneeded } = await storeContent(stage.deps.files, 'sku\r\nof nobody\r\n')
    stage.deps.clock.advance(2 * HOUR_MS)
    await cleanStorage(stage.deps, new AbortController().signal)
    expect(await stage.deps.files.has(unneeded)).toBe(false)
    expect(sorted(await stage.read(token))).toContain('N-N9,3')
    await stage.settle()
    const files = await listMergedVersions(stage.deps.db, 1)
    for (const { sha256, keysSha256, unmatchedSha256 } of files) {
      for (const hash of [sha256, keysSha256, unmatchedSha256]) {
        expect(await stage.deps.files.has(hash)).toBe(true)
      }
    }
  })

  it('is downloaded by its retailer in other forms too, while its addresses can be ended', async () => {
    const { token } = await mergeTwo()
    const { sha256 } = await stage.read(token)
    await revokeMergedAddresses(stage.deps, stage.retailer)
    await expect(stage.read(token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const file = await openMergedDownload(stage.deps, stage.retailer, 'own')
    expect(file).toMatchObject({ sha256, title: 'Merged inventory', form: { extension: 'csv' } })
    const asWorkbook = () => openMergedDownload(stage.deps, stage.retailer, 'xlsx')
    await expect(asWorkbook()).rejects.toBeInstanceOf(FileInPreparation)
    await stage.settle(0)
    expect((await asWorkbook()).form.extension).toBe('xlsx')
  })

  it('tells that it is being made, which files are kept, and how old each part is', async () => {
    const { north, south, parts } = await mergeTwo()
    const show = () => getMergedFile(stage.deps, stage.retailer)
    expect(await show()).toMatchObject({ isBeingMade: false, versions: [{ rowCount: 3 }] })
    const settings = saveMergedFileInput.parse({
      rules: { quantity: 'least', maxAgeHours: 2 },
      profile: {},
      parts,
    })
    await saveMergedFile(stage.deps, stage.retailer, settings)
    expect((await show()).isBeingMade).toBe(true)
    await stage.deps.work()
    const { isBeingMade, versions } = await show()
    expect([isBeingMade, versions.length]).toEqual([false, 2])
    stage.deps.clock.advance(9 * HOUR_MS)
    stage.source.set(`/${south.supplier.id}.csv`, { status: 500 })
    // The same file again is as new as the look at it.
    await stage.publish(
      north.supplier,
      `sku,ean,qty,category\r\nN1,${EAN},2,Shoes\r\nN2,,5,Hats\r\n`,
    )
    const shown = (await show()).relations.map(({ part }) => [part?.isStale, part?.freshness])
    expect(shown).toEqual([
      [false, 'on-time'],
      [true, 'overdue'],
    ])
  })
})

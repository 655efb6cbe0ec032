import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import { openFileDeps, seedStock } from '../../../testing/fixtures/stock'
import { listStoredFiles, storeContent } from '../../../testing/fixtures/stored-files'
import type { TestDeps } from '../../../testing/stages/test-deps'
import { cleanStorage, deleteUnneededFiles } from './storage-cleaning'

const SIGNAL = new AbortController().signal
/** More than are deleted together twice. */
const MANY = 130

let deps: TestDeps

beforeEach(async () => {
  deps = await openFileDeps()
})
afterEach(() => deps.close())

async function storeMany(): Promise<string[]> {
  const hashes: string[] = []
  for (let number = 0; number < MANY; number += 1) {
    hashes.push((await storeContent(deps.files, `unneeded ${number}`)).sha256)
  }
  return hashes
}

function countTransactions(): () => number {
  let count = 0
  const begin = deps.db.transaction.bind(deps.db)
  deps.db.transaction = () => {
    count += 1
    return begin()
  }
  return () => count
}

describe('unneeded files', () => {
  it('are deleted together, and none that a version names', async () => {
    const { stored } = await seedStock(deps, { files: ['sku\r\n1\r\n', 'sku\r\n2\r\n'] })
    const named = stored.map(({ sha256 }) => sha256)
    const unneeded = await storeMany()
    const transactions = countTransactions()
    const all = [...unneeded, ...named, ...unneeded]
    expect(await deleteUnneededFiles(deps, all)).toBe(MANY)
    expect(transactions()).toBe(3)
    expect(new Set(await listStoredFiles(deps))).toEqual(new Set(named))
  })

  it('that are left when the deletion is ended are removed by a later cleaning', async () => {
    const unneeded = await storeMany()
    const ending = new AbortController()
    const { delete: deleteFiles } = deps.files
    deps.files.delete = async (...some) => {
      const deleted = await deleteFiles(...some)
      ending.abort(new Error('ended'))
      return deleted
    }
    const ended = deleteUnneededFiles(deps, unneeded, ending)
    await expect(ended).rejects.toThrow('ended')
    deps.files.delete = deleteFiles
    const left = await listStoredFiles(deps)
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(MANY)
    expect((await cleanStorage(deps, SIGNAL)).storedFiles).toBe(left.length)
    expect(await listStoredFiles(deps)).toEqual([])
  })

  it('are all removed within a day, however many there are', async () => {
    await storeMany()
    const left: number[] = [MANY]
    for (let hour = 0; hour < 24; hour += 1) {
      await cleanStorage(deps, SIGNAL, 0)
      left.push((await listStoredFiles(deps)).length)
      deps.clock.advance(HOUR_MS)
    }
    expect(left[1]).toBeGreaterThan(0)
    expect(left[1]).toBeLessThan(MANY)
    expect(left.at(-1)).toBe(0)
  })
})

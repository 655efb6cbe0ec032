import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Merged, openMerging } from '../../testing/stages/merging'
import { hostileFiles } from '../../testing/suites/hostile/hostile-files'
import { FileError } from '../file-error'

const FILES = ['sku,category\n1,Shirts\n2,Hats\n', 'a,b\n1,x\n2,y\n']
const BOTH = { onlyInFile: 'keep', onlyInOverlay: 'keep' } as const

let stage: Awaited<ReturnType<typeof openMerging>>
beforeAll(async () => {
  stage = await openMerging()
})
afterAll(() => stage.close())

const isJoinedOrRefused = (outcome: unknown) =>
  outcome instanceof FileError || Boolean((outcome as Merged).result.overlay)

describe('a hostile file', () => {
  it.each(hostileFiles)('is joined, or refused, and leaves nothing: $name', async ({ bytes }) => {
    for (const file of FILES) {
      const hostile = bytes(20_000)
      const sku = file.startsWith('a') ? 'a' : null
      const outcomes = await Promise.allSettled([
        stage.join(file, { bytes: hostile, ...BOTH }, { sku }),
        stage.join(hostile, { bytes: file, ...BOTH }, { sku }),
      ])
      for (const outcome of outcomes) {
        expect(outcome.status === 'fulfilled' ? outcome.value : outcome.reason).toSatisfy(
          isJoinedOrRefused,
        )
      }
    }
    expect(await stage.leftovers()).toEqual([])
  })
})

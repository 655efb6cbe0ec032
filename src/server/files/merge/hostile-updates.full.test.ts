import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Merged, openMerging } from '../../testing/stages/merging'
import { hostileFiles } from '../../testing/suites/hostile/hostile-files'
import { FileError } from '../file-error'

let stage: Awaited<ReturnType<typeof openMerging>>
let bases: Merged[]
beforeAll(async () => {
  stage = await openMerging()
  bases = [
    await stage.full('sku,category\n1,Shirts\n2,Hats\n'),
    await stage.full('handle,sku,category\nx,1,Shirts\nx,2,\n'),
    await stage.full('a,b\n1,x\n2,y\n', { sku: 'a' }),
  ]
})
afterAll(() => stage.close())

const isMergedOrRefused = (outcome: unknown) =>
  outcome instanceof FileError || Boolean((outcome as Merged).result.keys)

describe('a hostile file', () => {
  it.each(hostileFiles)('is merged, or refused, and leaves nothing: $name', async ({ bytes }) => {
    for (const base of bases) {
      const removal = { column: 'b', value: 'x' }
      for (const settings of [{}, { removal }]) {
        const outcome = await stage
          .update(base, bytes(10_000), settings)
          .catch((error: unknown) => error)
        expect(outcome).toSatisfy(isMergedOrRefused)
      }
    }
    expect(await stage.leftovers()).toEqual([])
  })
})

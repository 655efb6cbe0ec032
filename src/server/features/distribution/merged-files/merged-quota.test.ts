import { describe, expect, it } from 'vitest'

import type { MergedOutputRow, MergedVersionRow } from '../../../db/schema'
import { listKept } from './merged-quota'

const version = (id: number, sizeBytes: number) =>
  ({
    id,
    sha256: `v${id}`,
    sizeBytes,
    keysBytes: 10,
    goneBytes: null,
    unmatchedBytes: 5,
  }) as MergedVersionRow
const output = (mergedVersionId: number, sizeBytes: number, sha256 = 'other') =>
  ({ mergedVersionId, sizeBytes, sha256 }) as MergedOutputRow
const idsOf = (kept: Set<MergedVersionRow>) => [...kept].map(({ id }) => id)

describe('the versions of a merged file that are kept', () => {
  const versions = [version(3, 100), version(2, 100), version(1, 100)]
  const all = { made: undefined, most: 10, limitBytes: 1_000_000, toSend: [] }

  it('are the newest, as many as may be', () => {
    expect(idsOf(listKept(versions, [], all))).toEqual([3, 2, 1])
    expect(idsOf(listKept(versions, [], { ...all, most: 2 }))).toEqual([3, 2])
  })

  it('take no more than the limit, with their keys, lists and outputs', () => {
    const of = (limitBytes: number, outputs: MergedOutputRow[] = []) =>
      idsOf(listKept(versions, outputs, { ...all, limitBytes }))
    expect(of(230)).toEqual([3, 2])
    expect(of(229)).toEqual([3])
    expect(of(230, [output(2, 1)])).toEqual([3])
    // Its own form is the version itself.
    expect(of(230, [output(2, 100, 'v2')])).toEqual([3, 2])
  })

  it('are the newest one at least, unless that is made now', () => {
    expect(idsOf(listKept(versions, [], { ...all, limitBytes: 1 }))).toEqual([3])
    const made = version(4, 100)
    expect(idsOf(listKept(versions, [], { ...all, made, limitBytes: 1 }))).toEqual([])
    expect(idsOf(listKept(versions, [], { ...all, made, limitBytes: 330 }))).toEqual([3])
    expect(idsOf(listKept(versions, [], { ...all, made, limitBytes: 329 }))).toEqual([])
    // A destination that has not answered gets what it was to get.
    expect(idsOf(listKept(versions, [], { ...all, most: 1, toSend: [1] }))).toEqual([3, 1])
  })
})

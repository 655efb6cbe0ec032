import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import {
  findRightChoice,
  type ForeignRecords,
  judge,
  type Verdict,
} from '../testing/stages/foreign-records'

/** Some of the files that tools/foreign-tables/write-records.py writes. */
const files = JSON.parse(
  readFileSync(new URL('../testing/fixtures/foreign-records.json', import.meta.url), 'utf8'),
) as (ForeignRecords & { bytes: string })[]

const bytesOf = ({ bytes }: { bytes: string }) => Buffer.from(bytes, 'base64')
const hasClearTable = ({ tables, isAmbiguous }: ForeignRecords) => tables.length > 0 && !isAmbiguous

describe('XML, JSON and HTML written by other programs', () => {
  it('are read exactly, or the supplier is told or asked: none is silently wrong', async () => {
    const found = await judgeAll(files)
    expect(found.silent).toEqual([])
    expect(found.failed).toEqual([])
    const clear = files.filter(hasClearTable).map(({ name }) => name)
    expect(clear.length).toBeGreaterThan(30)
    const right = found.right.filter((name) => clear.includes(name))
    expect(right.length).toBeGreaterThan(0.9 * clear.length)
  })

  it('are read exactly with one of the choices that a preview offers', async () => {
    const wrong: string[] = []
    for (const file of files.filter(hasClearTable)) {
      const { verdict } = await judge(file, bytesOf(file))
      if (verdict === 'right' || (await findRightChoice(file, bytesOf(file)))) continue
      wrong.push(file.name)
    }
    expect(wrong).toEqual([])
  })

  it('are refused if there is no table in them', async () => {
    const { right, ...others } = await judgeAll(files.filter(({ tables }) => tables.length === 0))
    expect(right.length).toBeGreaterThan(5)
    expect(Object.values(others).flat()).toEqual([])
  })
})

/** The names of the files by what becomes of them. */
async function judgeAll(judged: typeof files) {
  const found: Record<Verdict, string[]> = {
    right: [],
    asked: [],
    told: [],
    silent: [],
    refused: [],
    failed: [],
  }
  for (const file of judged) found[(await judge(file, bytesOf(file))).verdict].push(file.name)
  return found
}

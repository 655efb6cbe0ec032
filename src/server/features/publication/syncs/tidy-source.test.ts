import { expect, it } from 'vitest'

import { DEFAULT_TRANSFER } from '../../../../shared/schemas/transfer'
import type { ConnectionRow } from '../../../db/schema'
import { noteReadFile } from './tidy-source'

const NOW = Date.UTC(2026, 0, 10)
const CONNECTION = {
  config: { transfer: { ...DEFAULT_TRANSFER, afterReading: { action: 'delete' } } },
} as ConnectionRow

const timeOf = (changedAt: number) => {
  const lastModified = new Date(changedAt).toUTCString()
  const fetched = { kind: 'known', etag: '"1-2"', lastModified } as const
  return noteReadFile(CONNECTION, fetched, { outcome: 'unchanged' } as never, NOW).readFile
    ?.changedAt
}

it('a file whose time lies ahead hides none that comes after it', () => {
  // By the clock of a server that is fast, older files are told from newer ones.
  for (const time of [NOW - 1_000, NOW + 600_000]) expect(timeOf(time)).toBe(time)
  expect(timeOf(Date.UTC(2035, 0, 1))).toBe(NOW)
})

it('a file whose server does not tell when it is changed stays, and that is told', () => {
  const fetched = { kind: 'known', etag: null, lastModified: null } as const
  const { readFile } = noteReadFile(CONNECTION, fetched, { outcome: 'published' } as never, NOW)
  expect(readFile).toMatchObject({
    state: 'done',
    error: expect.stringContaining('does not tell when files are changed') as string,
  })
})

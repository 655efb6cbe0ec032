import { describe, expect, it } from 'vitest'

import type { ConnectionRow } from '../../../db/schema'
import { hidden, MAX_AUDITED_LENGTH, toAuditChanges } from './audited-changes'
import { toAuditedConnection } from './audited-records'

describe('the changed fields', () => {
  it('are those that differ, also inside of objects', () => {
    const before = { name: 'A', guard: { rows: 50, columns: true }, same: [1] }
    const after = { name: 'B', guard: { rows: 40, columns: true }, same: [1] }
    expect(toAuditChanges(before, after)).toEqual([
      { field: 'name', before: 'A', after: 'B' },
      { field: 'guard.rows', before: '50', after: '40' },
    ])
  })

  it('are of lists of names what was removed and what was added', () => {
    const changes = toAuditChanges({ of: ['Hats', 'Boots'] }, { of: ['Boots', 'Skis', 'Tents'] })
    expect(changes).toEqual([{ field: 'of', before: 'Hats', after: 'Skis, Tents' }])
    expect(toAuditChanges({ of: ['A', 'B'] }, { of: ['B', 'A'] })).toEqual([
      { field: 'of', before: 'A, B', after: 'B, A' },
    ])
  })

  it('are everything that was created or deleted, in words', () => {
    const state = { isActive: true, none: null, empty: [], texts: [{ text: 'few', quantity: 1 }] }
    const values = [
      ['isActive', 'yes'],
      ['texts', 'few 1'],
    ]
    const created = toAuditChanges(undefined, state)
    expect(created.map(({ field, after }) => [field, after])).toEqual(values)
    const deleted = toAuditChanges(state, undefined)
    expect(deleted.map(({ field, before }) => [field, before])).toEqual(values)
  })

  it('tell of a secret only that it has changed', () => {
    expect(toAuditChanges({ key: hidden('old') }, { key: hidden('new') })).toEqual([
      { field: 'key', before: '••••••', after: '••••••' },
    ])
    expect(toAuditChanges({ key: hidden('same') }, { key: hidden('same') })).toEqual([])
  })

  it('are together at most so long', () => {
    const state = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`field${index}`, 'x'.repeat(1_000)]),
    )
    const text = toAuditChanges(undefined, state)
      .map(({ before, after }) => `${before ?? ''}${after ?? ''}`)
      .join('')
    expect(text.length).toBeLessThan(MAX_AUDITED_LENGTH + 40)
  })
})

describe('a source', () => {
  const connection = (url: string, sealedUrl?: string, sealed = '') =>
    ({
      name: 'Feed',
      config: { url, sealedUrl, auth: { type: 'basic', username: 'shop', sealed } },
      guard: {},
      columnPolicy: {},
    }) as unknown as ConnectionRow

  it('is recorded without its credentials, and of its address by the origin only', () => {
    const before = toAuditedConnection(connection('https://a.example', 'first', 'sealed-1'))
    const after = toAuditedConnection(connection('https://a.example', 'second', 'sealed-2'))
    const plain = toAuditedConnection(connection('https://a.example/path.csv'))
    const changes = toAuditChanges(before, after)
    expect(changes.map(({ field }) => field)).toEqual(['url', 'secret'])
    const entries = [changes, toAuditChanges(before, plain), toAuditChanges(undefined, plain)]
    for (const entry of entries) {
      expect(entry).toContainEqual(
        expect.objectContaining({ field: 'url', after: 'https://a.example/••••••' }),
      )
    }
    expect(JSON.stringify(entries)).not.toMatch(/first|second|sealed|path/)
    expect(toAuditChanges(before, before)).toEqual([])
  })
})

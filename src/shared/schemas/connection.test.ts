import { describe, expect, it } from 'vitest'

import { createConnectionInput, updateConnectionInput } from './connection'

const connection = {
  name: 'Main feed',
  type: 'URL',
  fileFormat: 'CSV',
  syncFrequency: 60,
  config: { url: 'https://example.com/a.csv' },
}
const firstProblem = (value: object) =>
  createConnectionInput.safeParse(value).error?.issues[0]?.message

describe('a new connection', () => {
  it('is active by default', () => {
    expect(createConnectionInput.parse(connection).isActive).toBe(true)
  })

  it('drops unknown keys of its config', () => {
    const config = { ...connection.config, headers: { authorization: 'x' }, username: 'me' }
    expect(createConnectionInput.parse({ ...connection, config }).config).toEqual(connection.config)
  })

  it('drops fields that only the server sets', () => {
    const more = { lastSync: '2001-01-01T00:00:00.000Z', status: 'synced', id: 9, lastError: 'x' }
    expect(createConnectionInput.parse({ ...connection, ...more })).toEqual({
      ...connection,
      isActive: true,
    })
  })

  it.each([
    [{ name: ' ' }, 'Connection name is required'],
    [{ type: 'FTP' }, 'FTP is coming soon: only URL can be used today'],
    [{ type: 'EMAIL' }, 'EMAIL is coming soon: only URL can be used today'],
    [{ type: 'DATABASE' }, 'DATABASE is coming soon: only URL can be used today'],
    [{ type: 'url' }, 'Type must be one of URL, FTP, EMAIL, DATABASE'],
    [{ fileFormat: 'EXCEL' }, 'EXCEL is coming soon: only CSV can be used today'],
    [{ fileFormat: 'XML' }, 'XML is coming soon: only CSV can be used today'],
    [{ syncFrequency: -1 }, 'Sync frequency must be at least 0'],
    [
      { config: { url: 'gopher://a.example' } },
      'Only http, https, s3, sftp, ftp and ftps addresses can be used',
    ],
    [{ isActive: 'false' }, 'isActive must be true or false'],
  ])('with %j is refused with the message %j', (wrong, message) => {
    expect(firstProblem({ ...connection, ...wrong })).toBe(message)
  })
})

describe('an update of a connection', () => {
  it('may contain any single field, or none', () => {
    for (const change of [{ isActive: false }, { name: 'New' }, { syncFrequency: 0 }, {}]) {
      expect(updateConnectionInput.parse({ id: 1, ...change })).toEqual({ id: 1, ...change })
    }
  })
})

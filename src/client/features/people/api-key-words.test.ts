import { describe, expect, it } from 'vitest'

import type { KeyScope } from '../../../shared/api-keys'
import type { Role } from '../../../shared/constants'
import { exampleCommand } from './api-key-words'

const ORIGIN = 'https://stock.example'
const connection = { id: 4, name: 'Main feed' }
const retailer = { id: 7, name: 'Corner Shop' }
const NONE = { connection: null, retailer: null }

describe('the example of a new key', () => {
  it.each<[KeyScope[], object, Role, string | undefined]>([
    [['read', 'write'], NONE, 'SUPPLIER', '/api/user'],
    [['feed'], NONE, 'RETAILER', '/api/retailers/ID/latest-file'],
    [['feed'], { retailer }, 'SUPPLIER', '/api/retailers/7/latest-file'],
    [['feed'], { connection }, 'SUPPLIER', '/api/connections/4/files'],
    [['write', 'upload'], { connection }, 'SUPPLIER', '/api/connections/4/file'],
    [['write'], NONE, 'SUPPLIER', '/api/connections/ID/sync'],
    [['backup'], NONE, 'SUPER_ADMIN', '/api/admin/backup-files'],
    [['write'], NONE, 'RETAILER', undefined],
    [['write', 'upload'], { retailer }, 'SUPPLIER', undefined],
  ])('with %j, limited to %j, of a %s makes a call that it reaches', (scopes, part, role, path) => {
    const command = exampleCommand({ ...NONE, ...part, scopes }, role, ORIGIN)
    expect(command?.split(' ').at(-1)).toBe(path && ORIGIN + path)
  })
})

import type { KeyScope } from '../../../shared/api-keys'
import type { Role } from '../../../shared/constants'
import type { ApiKey } from '../../../shared/schemas/api-key'

/** What a key with a scope does, in a line. */
export const SCOPE_WORDS: Record<KeyScope, { label: string; note: string }> = {
  read: { label: 'Read', note: 'Lists and settings, no files' },
  write: { label: 'Write', note: 'Change settings, start syncs, make addresses' },
  upload: { label: 'Upload', note: 'Send files to a connection, and see what became of them' },
  feed: { label: 'Feed', note: 'Download files' },
  backup: { label: 'Backup', note: 'Start, list and download backups, which have everything' },
}

type Key = Pick<ApiKey, 'scopes' | 'connection' | 'retailer'>

/** A command that tries a key, whose value it takes from a variable; undefined where no single call suits all. */
export function exampleCommand(key: Key, role: Role, origin: string): string | undefined {
  const call = exampleCall(key, role, origin)
  return call && `curl -H "Authorization: Bearer $STOCKBRIDGE_KEY" ${call}`
}

function exampleCall({ scopes, connection, retailer }: Key, role: Role, origin: string) {
  const connectionPath = `${origin}/api/connections/${connection?.id ?? 'ID'}`
  if (scopes.includes('read')) return `${origin}/api/user`
  if (scopes.includes('feed')) {
    return connection
      ? `${connectionPath}/files`
      : `${origin}/api/retailers/${retailer?.id ?? 'ID'}/latest-file`
  }
  if (scopes.includes('backup')) return `${origin}/api/admin/backup-files`
  if (retailer || role === 'RETAILER') return undefined
  return scopes.includes('upload')
    ? `-T stock.csv ${connectionPath}/file`
    : `-X POST ${connectionPath}/sync`
}

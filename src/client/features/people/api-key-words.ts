import type { KeyScope } from '../../../shared/api-keys'
import type { ApiKey } from '../../../shared/schemas/api-key'

/** What a key with a scope does, in a line. */
export const SCOPE_WORDS: Record<KeyScope, { label: string; note: string }> = {
  read: { label: 'Read', note: 'Lists and settings, no files' },
  write: { label: 'Write', note: 'Change connections and retailers, start syncs' },
  upload: { label: 'Upload', note: 'Send files to a connection, and see what became of them' },
  feed: { label: 'Feed', note: 'Download files of connections and retailers' },
  backup: { label: 'Backup', note: 'Start, list and download backups, which have everything' },
}

/** A call that shows whether a key works, as a command. */
export function exampleCommand(
  token: string,
  { scopes, connection, retailer }: ApiKey,
  origin: string,
) {
  const connectionId = connection?.id ?? 'ID'
  const calls: Record<KeyScope, string> = {
    read: `${origin}/api/user`,
    write: `-X POST ${origin}/api/connections/${connectionId}/sync`,
    upload: `-T stock.csv ${origin}/api/connections/${connectionId}/file`,
    feed: retailer
      ? `${origin}/api/retailers/${retailer.id}/latest-file`
      : `${origin}/api/connections/${connectionId}/files`,
    backup: `${origin}/api/admin/backup-files`,
  }
  const [scope = 'read'] = scopes
  return `curl -H "Authorization: Bearer ${token}" ${calls[scope]}`
}

import { formatCountOf } from '../../shared/format'
import type { Deps } from '../domain/deps'
import { countWeakSources } from '../features/catalogue/connections/connections.queries'
import type { Finding } from './finding'

const PART = 'sources'

/** Whether files come in ways that others can read and change; nothing if none does. */
export async function checkSources({ db }: Pick<Deps, 'db'>): Promise<Finding[]> {
  const { open, old } = await countWeakSources(db).catch(() => ({ open: 0, old: 0 }))
  const findings = [
    { count: open, how: 'without encryption (ftp:// without TLS)' },
    { count: old, how: 'with old encryption, which is not safe any more' },
  ]
  return findings
    .filter(({ count }) => count > 0)
    .map(({ count, how }) => ({
      part: PART,
      state: 'warning',
      text: `${formatCountOf(count, 'connection')} ${count === 1 ? 'fetches its' : 'fetch their'} file ${how}`,
      advice: 'Have these suppliers ask for SFTP, FTP with TLS or https: their page marks them.',
    }))
}

import { formatCountOf } from '../../shared/format'
import type { WeakCounts } from '../db/queries-kit/weak-configs'
import type { Deps } from '../domain/deps'
import { countWeakSources } from '../features/catalogue/connections/connections.queries'
import { countWeakDestinations } from '../features/distribution/destinations/destinations.queries'
import type { Finding } from './finding'

const NONE: WeakCounts = { open: 0, old: 0 }

/** Whether files come and go in ways that others can read and change; nothing if none does. */
export async function checkSources({ db }: Pick<Deps, 'db'>): Promise<Finding[]> {
  const [sources, destinations] = await Promise.all([
    countWeakSources(db).catch(() => NONE),
    countWeakDestinations(db).catch(() => NONE),
  ])
  return [
    ...warn(sources, {
      part: 'sources',
      tell: (count) =>
        `${formatCountOf(count, 'connection')} ${count === 1 ? 'fetches its' : 'fetch their'} file`,
      advice: 'Have these suppliers ask for SFTP, FTP with TLS or https: their page marks them.',
    }),
    ...warn(destinations, {
      part: 'destinations',
      tell: (count) =>
        `${formatCountOf(count, 'destination')} ${count === 1 ? 'gets its' : 'get their'} file`,
      advice: 'Have these retailers ask for SFTP, FTP with TLS or https.',
    }),
  ]
}

type Told = { part: string; tell: (count: number) => string; advice: string }

const warn = ({ open, old }: WeakCounts, { part, tell, advice }: Told): Finding[] =>
  [
    { count: open, how: 'without encryption (ftp:// without TLS)' },
    { count: old, how: 'with old encryption, which is not safe any more' },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, how }) => ({ part, state: 'warning', text: `${tell(count)} ${how}`, advice }))

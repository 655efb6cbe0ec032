import { Box } from '@mantine/core'

import { LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { trpc } from '../../trpc'
import { ConnectionsCard, SyncsCard } from './connection-cards'
import { BackupCard, DiskCard } from './storage-cards'

import classes from './overview-cards.module.css'

/** How connections, syncs, backups and the disk are doing, in one row of figures. */
export function OverviewCards() {
  const overview = trpc.operations.overview.useQuery()
  const storage = trpc.operations.storage.useQuery()
  const failed = [overview, storage].find(({ isError, data }) => isError && !data)
  if (failed) {
    return (
      <Box mb={20}>
        <Panel>
          <LoadError isCompact title="The overview could not be loaded" query={failed} />
        </Panel>
      </Box>
    )
  }
  return (
    <div className={classes.cards}>
      <ConnectionsCard overview={overview.data} />
      <SyncsCard overview={overview.data} />
      <BackupCard backup={storage.data?.backup} />
      <DiskCard disk={storage.data?.disk} />
    </div>
  )
}

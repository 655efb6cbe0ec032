import { IconFileTypeCsv, IconInbox } from '@tabler/icons-react'
import { useEffect } from 'react'

import { formatCountOf, formatFileName, formatRetailerFileSize } from '../../../shared/format'
import type { LatestFile as LatestFileAnswer } from '../../../shared/schemas/file'
import type { Retailer } from '../../../shared/schemas/retailer'
import { FreshnessBadge } from '../../components/feedback/freshness-badge'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DownloadLink } from '../../components/layout/download-link'
import { formatDateTime } from '../../lib/time-format'
import { showError } from '../../lib/toast'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { NewerFileNote } from './newer-file-note'
import { NextUpdate } from './next-update'

import classes from './latest-file.module.css'

/** The retailer's current file, or a message when there is none. */
export function LatestFile({ retailer }: { retailer: Retailer }) {
  const query = trpc.retailers.latestFile.useQuery({ id: retailer.id })
  useEffect(() => {
    if (query.isError) showError('Failed to fetch file info')
  }, [query.isError])
  if (query.isPending) return <LoadingBlock height={74} label="Loading the file" />
  if (query.isError) {
    return <LoadError isCompact title="Failed to fetch file info" query={query} />
  }
  return <LatestFileCard file={query.data} retailer={retailer} />
}

interface LatestFileCardProps {
  file: LatestFileAnswer
  retailer: Pick<Retailer, 'supplierName' | 'syncFrequency'>
}

export function LatestFileCard({ file, retailer }: LatestFileCardProps) {
  const mayDownload = useMay('files')
  if (!('fileName' in file)) {
    return <EmptyState isCompact icon={IconInbox} title={file.message} />
  }
  return (
    <div className={classes.file}>
      <IconFileTypeCsv size={32} stroke={1.25} aria-hidden="true" />
      <div className={classes.texts}>
        <div className={classes.name}>{formatFileName(file.fileName)}</div>
        <div className={classes.facts} data-figures>
          <span>Received {formatDateTime(file.downloadDate)}</span>
          <span>{formatRetailerFileSize(file.fileSize)}</span>
          <span>{formatCountOf(file.rowCount, 'row')}</span>
        </div>
        <div className={classes.facts}>
          <span>
            Data as of <TimeAgo instant={file.dataAsOf} />
            {file.nextUpdateAt && !file.newerFile && (
              <>
                ; <NextUpdate instant={file.nextUpdateAt} />
              </>
            )}{' '}
            <FreshnessBadge freshness={file.freshness} />
          </span>
        </div>
      </div>
      {mayDownload && <DownloadLink href={file.downloadUrl}>Download</DownloadLink>}
      {file.newerFile && (
        <div className={classes.newer}>
          <NewerFileNote newerFile={file.newerFile} retailer={retailer} />
        </div>
      )}
    </div>
  )
}

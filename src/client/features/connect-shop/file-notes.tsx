import type { LatestFile } from '../../../shared/schemas/file'
import { TimeAgo } from '../../components/feedback/time-ago'
import { TextLink } from '../../components/layout/links'
import { trpc } from '../../trpc'
import { Note } from './note'
import type { ShopViewer } from './shop-viewer'

interface FileNotesProps {
  file: LatestFile | undefined
  viewer: ShopViewer
  /** Whether the shop has not read the newest file. */
  isBehind: boolean
}

/** What is to know of the file that the shop reads: that there is none, that it is old, or newer than the shop's. */
export function FileNotes({ file, viewer, isBehind }: FileNotesProps) {
  const isSupplier = viewer.role === 'supplier'
  const connections = trpc.connections.list.useQuery(undefined, { enabled: isSupplier })
  if (!file) return null
  const isHeld = isSupplier && connections.data?.some(({ status }) => status === 'held')
  if (!('fileName' in file)) {
    return (
      <Note>
        {isHeld ? (
          <>
            Your first file is held, so the shop cannot read yet.{' '}
            <TextLink inherit to="/supplier/connections">
              Decide on it
            </TextLink>
          </>
        ) : isSupplier ? (
          <>
            You have not published a file yet, so the shop cannot read.{' '}
            <TextLink inherit to="/supplier/connections">
              Open Connections
            </TextLink>
          </>
        ) : (
          'Your supplier has not published a file yet. All of this can be set up now: your shop reads as soon as there is one.'
        )}
      </Note>
    )
  }
  return (
    <>
      {isBehind && (
        <Note>
          Behind: a newer file is there since <TimeAgo instant={file.downloadDate} />, which{' '}
          {viewer.shop} has not read yet.
        </Note>
      )}
      {isHeld && (
        <Note>
          Your newest file is held; the shop goes on reading the one before.{' '}
          <TextLink inherit to="/supplier/connections">
            Decide on it
          </TextLink>
        </Note>
      )}
      {file.freshness !== 'on-time' && (
        <Note>
          The data are from <TimeAgo instant={file.dataAsOf} /> and {file.freshness}: newer ones
          have not come from {isSupplier ? 'your source' : 'your supplier'}.
        </Note>
      )}
    </>
  )
}

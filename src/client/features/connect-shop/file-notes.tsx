import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { TimeAgo } from '../../components/feedback/time-ago'
import { TextLink } from '../../components/layout/links'
import { trpc } from '../../trpc'
import type { ShopViewer } from './shop-viewer'

import classes from './shop-state.module.css'

interface FileNotesProps {
  retailerId: number
  viewer: ShopViewer
  /** When the shop last read; undefined before the first time. */
  readAt: string | undefined
}

/** What is to know of the file that the shop reads: that there is none, that it is old, or newer than the shop's. */
export function FileNotes({ retailerId, viewer, readAt }: FileNotesProps) {
  const isSupplier = viewer.role === 'supplier'
  const { data: file } = trpc.retailers.latestFile.useQuery({ id: retailerId })
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
  const isBehind = readAt !== undefined && Date.parse(file.downloadDate) > Date.parse(readAt)
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

const Note = ({ children }: { children: ReactNode }) => (
  <p className={classes.note}>
    <IconInfoCircle size={17} stroke={1.75} aria-hidden="true" />
    <span>{children}</span>
  </p>
)

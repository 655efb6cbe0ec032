import { IconCheck, IconClockPause, IconPlugConnected, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { ReadRefusal } from '../../../shared/address-protection'
import { formatCount, formatCountOf } from '../../../shared/format'
import type { FeedAddress } from '../../../shared/schemas/feed-address'
import type { LatestFile } from '../../../shared/schemas/file'
import type { RetailerUsage } from '../../../shared/schemas/retailer'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError, type FailedQuery } from '../../components/feedback/message-state'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'
import { useNow } from '../../lib/use-now'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { FileNotes } from './file-notes'
import { Note } from './note'
import {
  findEndOfReplaced,
  findRefusal,
  findShopRead,
  isBehindFile,
  isExpired,
  tellTime,
  type ShopRead,
} from './shop-read'
import type { ShopViewer } from './shop-viewer'

import classes from './shop-state.module.css'

interface ShopStateProps {
  retailerId: number
  viewer: ShopViewer
  query: FailedQuery & { isError: boolean; data?: FeedAddress[] | undefined }
}

/** Whether a shop reads its file: waits for the first read, and tells of the last one later. */
export function ShopState({ retailerId, viewer, query }: ShopStateProps) {
  const usage = trpc.retailers.usage.useQuery({ ids: [retailerId] })
  const downloads = trpc.retailers.downloads.useQuery({ id: retailerId })
  const failed = [query, usage, downloads].find(({ isError }) => isError)
  const [figures] = usage.data ?? []
  return (
    <Panel title={viewer.stateTitle}>
      {failed ? (
        <LoadError isCompact title="The reads could not be loaded" query={failed} />
      ) : query.data && figures && downloads.data ? (
        <Known
          retailerId={retailerId}
          viewer={viewer}
          usage={figures}
          addresses={query.data}
          read={findShopRead(query.data, downloads.data)}
        />
      ) : (
        <LoadingBlock height={120} label="Loading the reads" />
      )}
    </Panel>
  )
}

interface KnownProps extends Pick<ShopStateProps, 'retailerId' | 'viewer'> {
  usage: RetailerUsage
  addresses: FeedAddress[]
  read: ShopRead | null
}

function Known({ retailerId, viewer, usage, addresses, read }: KnownProps) {
  const { data: file } = trpc.retailers.latestFile.useQuery({ id: retailerId })
  const isBehind = isBehindFile(read, file)
  const replacedEndsAt = findEndOfReplaced(addresses)
  const refusal = findRefusal(addresses)
  const now = useNow()
  const hasExpired = addresses[0] !== undefined && isExpired(addresses[0], now)
  return (
    <div className={classes.state}>
      {refusal ? (
        <Refused viewer={viewer} refusal={refusal} read={read} />
      ) : hasExpired ? (
        <Headline tone="silent" title="The address has expired">
          {viewer.Shop} is refused until somebody extends it, under Protection.
        </Headline>
      ) : read ? (
        <Read viewer={viewer} usage={usage} read={read} file={file} isBehind={isBehind} />
      ) : addresses.length > 0 ? (
        <Headline tone="waiting" title="Waiting for the first read …">
          This turns green by itself as soon as {viewer.shop} has read its address.
        </Headline>
      ) : (
        <NoAddress viewer={viewer} usage={usage} />
      )}
      {replacedEndsAt && (
        <Note>
          Waiting for the first read of the new address. The one before ends{' '}
          <TimeAgo instant={replacedEndsAt} />: paste the new one before that.
        </Note>
      )}
      <FileNotes file={file} viewer={viewer} isBehind={isBehind} />
    </div>
  )
}

interface RefusedProps extends Pick<KnownProps, 'viewer' | 'read'> {
  refusal: NonNullable<ReturnType<typeof findRefusal>>
}

function Refused({ viewer, read, refusal: { at, reason, client, from } }: RefusedProps) {
  const time = tellTime(at, useNow())
  return (
    <>
      <Headline tone="silent" title={`${viewer.Shop} was refused ${time}`}>
        {REFUSALS[reason]}
      </Headline>
      <DefinitionList
        items={[
          { term: 'Refused', value: <TimeAgo instant={at} /> },
          { term: 'With', value: client ?? 'A program' },
          { term: 'From', value: from ?? 'An unknown address' },
          { term: 'Last read', value: read ? <TimeAgo instant={read.at} /> : 'Not yet' },
        ]}
      />
    </>
  )
}

const REFUSALS: Record<ReadRefusal, string> = {
  'password-wrong': 'Wrong password: give it the present one, or make a new one under Protection.',
  'password-missing': 'No password: type user name and password where it has the address.',
  network: 'It came from an address that is not among the networks under Protection.',
  expired: 'The address has expired: extend it under Protection.',
}

function NoAddress({ viewer, usage: { lastPull, client } }: Pick<KnownProps, 'viewer' | 'usage'>) {
  const mayConnect = useMay('addresses')
  return (
    <Headline tone="off" title="Not connected">
      {lastPull ? (
        <>
          No address works now, so {viewer.shop} cannot read. The file was last read{' '}
          <TimeAgo instant={lastPull} /> with {client ?? 'a program'}.
        </>
      ) : !mayConnect ? (
        <>Nothing reads the file by itself. Here you see when something has.</>
      ) : (
        <>
          Choose the shop, create its address, and paste it there. Here you then see that it has
          been read.
        </>
      )}
    </Headline>
  )
}

interface ReadProps extends Pick<KnownProps, 'viewer' | 'usage'> {
  read: ShopRead
  file: LatestFile | undefined
  isBehind: boolean
}

function Read({ viewer, usage, read, file, isBehind }: ReadProps) {
  const now = useNow()
  const rows = read.rows === null ? 'its file' : formatCountOf(read.rows, 'row')
  const time = tellTime(read.at, now)
  return (
    <>
      {usage.isSilent ? (
        <Headline tone="silent" title={`${viewer.Shop} has stopped reading`}>
          It last read {rows} {time}. Look there whether its import still runs, and whether it has
          the address that works now.
        </Headline>
      ) : (
        <Headline tone="read" title={`${viewer.Shop} has read ${rows} ${time}`} />
      )}
      <DefinitionList
        items={[
          { term: 'Last read', value: <TimeAgo instant={read.at} /> },
          { term: 'With', value: read.client },
          { term: 'Reads in 7 days', value: formatCount(usage.pullsIn7Days) },
          ...(file && 'fileName' in file
            ? [{ term: 'Newest file', value: <Newest isBehind={isBehind} /> }]
            : []),
        ]}
      />
    </>
  )
}

const Newest = ({ isBehind }: Pick<ReadProps, 'isBehind'>) =>
  isBehind ? (
    <StatusBadge tone="warn">Behind</StatusBadge>
  ) : (
    <StatusBadge tone="good">Has it</StatusBadge>
  )

const GLYPHS: Record<string, Icon | null> = {
  read: IconCheck,
  waiting: null,
  silent: IconClockPause,
  off: IconPlugConnected,
}

interface HeadlineProps {
  tone: 'read' | 'waiting' | 'silent' | 'off'
  title: string
  children?: ReactNode
}

/** Says by itself when it changes. */
function Headline({ tone, title, children }: HeadlineProps) {
  const Glyph = GLYPHS[tone]
  return (
    <div className={classes.headline}>
      <span className={classes.sign} data-tone={tone} aria-hidden="true">
        {Glyph ? <Glyph size={22} stroke={2} /> : <span className={classes.pulse} />}
      </span>
      <div className={classes.texts}>
        <output className={classes.title}>{title}</output>
        {children && <div className={classes.text}>{children}</div>}
      </div>
    </div>
  )
}

import { Skeleton } from '@mantine/core'
import { IconArrowsDiff, IconBuildingStore, IconClockCheck } from '@tabler/icons-react'

import { formatCount, formatCountOf } from '../../../shared/format'
import { StatCard } from '../../components/chart/stat-card'
import { TimeAgo } from '../../components/feedback/time-ago'
import { TextLink } from '../../components/layout/links'
import { trpc } from '../../trpc'
import { NextUpdate } from './next-update'
import { AskSupplier } from './supplier-contact'

import classes from './stock-cards.module.css'

interface StockCardsProps {
  retailerId: number
}

/** Whether a retailer's stock is fresh, what has changed, and whether its shop reads it. */
export function StockCards({ retailerId }: StockCardsProps) {
  return (
    <div className={classes.cards}>
      <FreshnessCard retailerId={retailerId} />
      <ChangesCard retailerId={retailerId} />
      <ShopCard retailerId={retailerId} />
    </div>
  )
}

const FRESHNESS_WORDS = { 'on-time': 'Fresh', late: 'Late', overdue: 'Overdue' }

function FreshnessCard({ retailerId }: StockCardsProps) {
  const { data: file, isError } = trpc.retailers.latestFile.useQuery({ id: retailerId })
  const card = { title: 'Your stock', icon: IconClockCheck }
  if (!file) return <StatCard {...card} {...missing(isError)} />
  if (!('fileName' in file)) return <StatCard {...card} value="No file yet" label={file.message} />
  const { freshness, dataAsOf, nextUpdateAt } = file
  return (
    <StatCard
      {...card}
      value={<span data-freshness={freshness}>{FRESHNESS_WORDS[freshness]}</span>}
      label={
        <>
          as of <TimeAgo instant={dataAsOf} />
          {nextUpdateAt && (
            <>
              ; <NextUpdate instant={nextUpdateAt} />
            </>
          )}
          {freshness !== 'on-time' && (
            <div>
              <AskSupplier />
            </div>
          )}
        </>
      }
    />
  )
}

function ChangesCard({ retailerId }: StockCardsProps) {
  const { data: changes, isError } = trpc.retailers.changes.useQuery({ id: retailerId })
  const { data: file } = trpc.retailers.latestFile.useQuery({ id: retailerId })
  const card = { title: 'Last change', icon: IconArrowsDiff }
  if (changes === undefined || !file) return <StatCard {...card} {...missing(isError)} />
  const rows = 'fileName' in file ? formatCountOf(file.rowCount, 'row') : 'No rows yet'
  if (changes === null) return <StatCard {...card} value="None yet" label={rows} />
  const difference = changes.rowCount - changes.previousRowCount
  return (
    <StatCard
      {...card}
      value={
        difference === 0
          ? '±0 rows'
          : `${difference > 0 ? '+' : '−'}${formatCount(Math.abs(difference))} rows`
      }
      label={`${formatCountOf(changes.rowCount, 'row')} now`}
    />
  )
}

/** A shop reads at one of the addresses; the others are ending. */
function ShopCard({ retailerId }: StockCardsProps) {
  const { data: addresses, isError } = trpc.feedAddresses.list.useQuery({ id: retailerId })
  const card = { title: 'Your shop', icon: IconBuildingStore }
  if (!addresses) return <StatCard {...card} {...missing(isError)} />
  const read = addresses
    .filter(({ lastUsedAt }) => lastUsedAt !== null)
    .toSorted((one, other) => String(other.lastUsedAt).localeCompare(String(one.lastUsedAt)))[0]
  if (read?.lastUsedAt) {
    return (
      <StatCard
        {...card}
        value="Connected"
        label={
          <TextLink fz="sm" to="/retailer/shop">
            {read.lastClient ?? 'A program'} read <TimeAgo instant={read.lastUsedAt} />
          </TextLink>
        }
      />
    )
  }
  const isWaiting = addresses.length > 0
  return (
    <StatCard
      {...card}
      value={isWaiting ? 'Not read yet' : 'Not connected'}
      label={
        <TextLink fz="sm" to="/retailer/shop">
          {isWaiting ? 'Waiting for the first read' : 'Connect your shop'}
        </TextLink>
      }
    />
  )
}

const missing = (isError: boolean) =>
  isError
    ? { value: '–', label: 'Could not be loaded' }
    : { value: <Skeleton height={24} width={96} my={5} />, label: 'Loading …' }

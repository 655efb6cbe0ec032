import { Stack } from '@mantine/core'
import { IconSearch, IconSearchOff } from '@tabler/icons-react'
import { useState } from 'react'

import { formatCountOf } from '../../../shared/format'
import type { ItemHistory as History, ItemPoint } from '../../../shared/schemas/item-history'
import { type Step, StepChart } from '../../components/chart/step-chart'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, type FailedQuery, LoadError } from '../../components/feedback/message-state'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'
import { errorMessage, errorStatus } from '../../lib/error-message'
import { formatDateTime } from '../../lib/time-format'
import { ItemPoints } from './item-points'
import { describeState, formatNumber, formatPrice } from './item-words'

export interface ItemHistoryProps {
  /** What was searched; none: nothing yet. */
  sku: string
  query: FailedQuery & { data: History | undefined; isError: boolean }
}

/** What an item was over time, or that there is none. */
export function ItemHistory({ sku, query }: ItemHistoryProps) {
  const { data, isError, error } = query
  if (sku === '') {
    return (
      <Panel>
        <EmptyState icon={IconSearch} title="Which item?">
          Enter an SKU to see its quantity and price over time, and when it was in the file.
        </EmptyState>
      </Panel>
    )
  }
  if (isError && errorStatus(error) === 404) {
    return (
      <Panel>
        <EmptyState icon={IconSearchOff} title="No such item">
          <bdi>{errorMessage(error)}</bdi>
        </EmptyState>
      </Panel>
    )
  }
  if (isError) {
    return (
      <Panel>
        <LoadError title="The history could not be loaded" query={query} />
      </Panel>
    )
  }
  if (!data) {
    return (
      <Panel>
        <LoadingBlock height={320} label="Looking the item up" />
      </Panel>
    )
  }
  return <Found history={data} />
}

function Found({ history }: { history: History }) {
  const { key, points, toldUntil, beganAt, detailFrom } = history
  // What is told holds until another file is published.
  const [now] = useState(() => new Date().toISOString())
  const hasUntold = points.some(({ state }) => state === 'untold')
  return (
    <Stack gap="lg">
      <Panel
        title={key}
        description={`History begins ${formatDateTime(beganAt)}, and is told up to the file of ${formatDateTime(toldUntil)}`}
        footer={
          <>
            {beganAt < detailFrom
              ? `Before ${formatDateTime(detailFrom)} there is one value a day, that at its end in UTC.`
              : 'The values of all files that are kept. Later, when they are removed, one value a day stays for a year.'}
            {hasUntold &&
              ' Where it is not told, it is not known whether the item was in your categories.'}
          </>
        }
      >
        <DefinitionList items={listFacts(history)} />
      </Panel>
      {(['quantity', 'price'] as const).map((field) => (
        <ValueChart key={field} history={history} field={field} now={now} />
      ))}
      <ItemPoints history={history} />
    </Stack>
  )
}

function listFacts(history: History) {
  const { quantity, price, quantityColumn, priceColumn, isInFile, leftAt, firstSeenAt } = history
  const days = (count: number) => `${count} of ${formatCountOf(history.knownDays, 'day')}`
  return [
    ...(quantityColumn === null
      ? []
      : [{ term: quantityColumn || 'Quantity', value: formatNumber(quantity) }]),
    ...(priceColumn === null ? [] : [{ term: priceColumn || 'Price', value: formatPrice(price) }]),
    ...(history.arePricesMade
      ? [{ term: 'Price', value: 'Made by rules of your supplier; there is no history of it' }]
      : []),
    {
      term: 'First seen',
      value: `${history.wasThereBefore ? 'Before ' : ''}${formatDateTime(firstSeenAt)}`,
    },
    {
      term: 'Last seen',
      value: isInFile || leftAt === null ? 'In the file now' : `Left on ${formatDateTime(leftAt)}`,
    },
    ...(quantityColumn === null
      ? []
      : [{ term: 'Out of stock, of the last 90 days', value: days(history.daysOutOfStock) }]),
    { term: 'Not in the file, of the last 90 days', value: days(history.daysNotInFile) },
  ]
}

const TITLES = { quantity: 'Quantity', price: 'Price' } as const
const FORMATS = { quantity: formatNumber, price: formatPrice } as const

/** Nothing where there is no such column, or no number in it. */
function ValueChart({ history, field, now }: ItemValues & { now: string }) {
  const { points } = history
  const column = history[`${field}Column`]
  const hasValues = points.some((point) => point[field] !== null)
  if (!hasValues) return null
  const title = TITLES[field]
  const hasOtherName = column !== null && column.toLowerCase() !== title.toLowerCase()
  return (
    <Panel>
      <StepChart
        title={hasOtherName ? `${title} (${column})` : title}
        steps={points.map((point) => toStep(point, field))}
        until={now}
        format={FORMATS[field]}
      />
    </Panel>
  )
}

type ItemValues = { history: History; field: keyof typeof TITLES }

function toStep(point: ItemPoint, field: ItemValues['field']): Step {
  const value = point[field]
  const text = value === null ? describeState(point) : FORMATS[field](value)
  return { at: point.at, value, text }
}

import { Skeleton } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'

import type { ReadingState } from '../../../shared/constants'
import { formatCount } from '../../../shared/format'
import { StatCard } from '../../components/chart/stat-card'
import { TextLink } from '../../components/layout/links'
import { trpc } from '../../trpc'
import { READING_WORDS } from './reading-words'

import classes from './readers-card.module.css'

/** Those that need a look; each is a list. */
const NAMED = ['behind', 'silent', 'never', 'paused'] as const satisfies ReadingState[]

/** How many retailers have read their file in the last day, and which have not. */
export function ReadersCard() {
  const { data, isError } = trpc.retailers.readers.useQuery()
  return (
    <StatCard
      title="Readers"
      icon={IconUsers}
      value={
        data ? formatCount(data.day) : isError ? '–' : <Skeleton height={24} width={72} my={5} />
      }
      label={isError ? 'Could not be loaded' : <OfDay count={data?.day ?? 0} />}
    >
      {data && data.total > 0 && (
        <ul className={classes.states}>
          {NAMED.filter((state) => data[state] > 0).map((state) => (
            <li key={state}>
              <TextLink to="/supplier/retailers" search={{ reading: state }} fz="sm">
                {`${formatCount(data[state])} ${READING_WORDS[state].toLowerCase()}`}
              </TextLink>
            </li>
          ))}
        </ul>
      )}
    </StatCard>
  )
}

/** Leads to them, if there are any. */
function OfDay({ count }: { count: number }) {
  const text = 'have read their file in the last day'
  if (count === 0) return text
  return (
    <TextLink to="/supplier/retailers" search={{ reading: 'day' }} fz="sm">
      {text}
    </TextLink>
  )
}

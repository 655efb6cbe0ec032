import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'

import { pluralize } from '../../../shared/format'
import {
  guardSchema,
  type Guard,
  type GuardTrial as Trial,
} from '../../../shared/schemas/publishing'
import { TimeAgo } from '../../components/feedback/time-ago'
import { trpc } from '../../trpc'

import classes from './publishing.module.css'

const SETTLED_MS = 400
/** Held files that are named. */
const SHOWN = 5

/** What these checks would have held of the last published files. */
export function GuardTrial({ connectionId, guard }: { connectionId: number; guard: Guard }) {
  const [settled] = useDebouncedValue(guard, SETTLED_MS)
  const trial = trpc.publishing.tryGuard.useQuery(
    { id: connectionId, guard: settled },
    { enabled: guardSchema.safeParse(settled).success, placeholderData: keepPreviousData },
  )
  return (
    <section className={classes.trial} aria-live="polite" aria-label="Trial">
      {trial.data ? <Result trial={trial.data} /> : <p>Trying it on the last files …</p>}
    </section>
  )
}

function Result({ trial: { compared, held } }: { trial: Trial }) {
  if (compared === 0) return <p>There is no earlier file to try this on yet.</p>
  if (held.length === 0) {
    return (
      <p>{`None of the last ${compared} new ${pluralize(compared, 'file')} would have been held.`}</p>
    )
  }
  return (
    <>
      <p>{`${held.length} of the last ${compared} new ${pluralize(compared, 'file')} would have been held:`}</p>
      <ul>
        {held.slice(0, SHOWN).map(({ publishedAt, reasons }) => (
          <li key={publishedAt}>
            <TimeAgo instant={publishedAt} />: {reasons.join(' ')}
          </li>
        ))}
      </ul>
    </>
  )
}

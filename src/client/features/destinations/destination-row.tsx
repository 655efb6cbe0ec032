import { VisuallyHidden } from '@mantine/core'
import {
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconTruckDelivery,
  IconTrash,
} from '@tabler/icons-react'

import { formatCountOf } from '../../../shared/format'
import type { Destination, DestinationList } from '../../../shared/schemas/destination'
import { PendingButton } from '../../components/feedback/pending-button'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { RowActions, type RowAction } from '../../components/table/row-actions'
import { RowProblem } from '../../components/table/row-problem'
import { NarrowRowsContext } from '../../lib/narrow-rows'
import { SHOP_FORMAT_LABELS } from '../../lib/shop-format-labels'
import { describeTimes, KINDS, STATE_TONES, STATE_WORDS } from './destination-words'
import { KindIcon } from './kind-icon'

import classes from './destinations.module.css'

interface DestinationCalls {
  isSending: boolean
  onTest: () => void
  onSend: () => void
  onEdit: () => void
  onSwitch: () => void
  onDelete: () => void
}

interface DestinationRowProps {
  destination: Destination
  list: DestinationList
  /** Absent for those who only look at it. */
  calls: DestinationCalls | undefined
}

export function DestinationRow({ destination, list, calls }: DestinationRowProps) {
  const { name, kind, fileName, profile, times, state, reason } = destination
  return (
    <li className={classes.row}>
      <span className={classes.icon}>
        <KindIcon kind={kind} />
      </span>
      <div className={classes.facts}>
        <div className={classes.line}>
          <bdi className={classes.name}>{name}</bdi>
          <State destination={destination} />
        </div>
        <p className={classes.note}>
          <Where destination={destination} people={list.people} />
        </p>
        <p className={classes.note}>
          {describeTimes(destination, list.timeZone)} · <bdi>{fileName}</bdi>
          {profile && ` · ${SHOP_FORMAT_LABELS[profile.kind].label}`}
          {times.length > 0 && (state === 'ok' || state === 'new') && destination.nextAt && (
            <>
              {' '}
              · next <TimeAgo instant={destination.nextAt} />
            </>
          )}
        </p>
        {state === 'retrying' && reason !== null && <p className={classes.reason}>{reason}</p>}
        <LeftOut destination={destination} people={list.people} />
      </div>
      {calls && (
        <NarrowRowsContext value>
          <RowActions rowName={name} actions={listActions(destination, calls)} />
        </NarrowRowsContext>
      )}
      {state === 'paused' && (
        <div className={classes.problem}>
          <RowProblem
            title="Nothing is sent any more."
            action={
              calls && (
                <PendingButton
                  variant="default"
                  size="compact-sm"
                  isPending={calls.isSending}
                  aria-label={`Try now: ${name}`}
                  onClick={calls.onSend}
                >
                  Try now
                </PendingButton>
              )
            }
          >
            {reason}
          </RowProblem>
        </div>
      )}
    </li>
  )
}

function listActions({ state, isActive }: Destination, calls: DestinationCalls): RowAction[] {
  return [
    { label: 'Test', icon: IconPlugConnected, onClick: calls.onTest },
    ...(isActive
      ? [
          {
            label: state === 'paused' || state === 'retrying' ? 'Try now' : 'Send now',
            icon: IconTruckDelivery,
            isPending: calls.isSending || state === 'sending',
            onClick: calls.onSend,
          },
        ]
      : []),
    { label: 'Edit', icon: IconPencil, onClick: calls.onEdit },
    isActive
      ? { label: 'Switch off', icon: IconPlayerPause, onClick: calls.onSwitch }
      : { label: 'Switch on', icon: IconPlayerPlay, onClick: calls.onSwitch },
    { label: 'Delete', icon: IconTrash, isDestructive: true, onClick: calls.onDelete },
  ]
}

/** How it is, in words, and since when. */
function State({ destination }: { destination: Destination }) {
  const { state, sentAt, sentRows, nextAt, pausedAt } = destination
  const since =
    state === 'ok' ? sentAt : state === 'paused' ? pausedAt : state === 'retrying' ? nextAt : null
  const rows = state === 'ok' && sentRows !== null && ` ${formatCountOf(sentRows, 'row')}`
  return (
    <span className={classes.state}>
      <StatusBadge tone={STATE_TONES[state]}>
        {STATE_WORDS[state]}
        {rows}
      </StatusBadge>
      {since !== null && (
        <span className={classes.note}>
          <TimeAgo instant={since} />
        </span>
      )}
    </span>
  )
}

type People = DestinationList['people']

/** The address, or the people who get the mail. */
function Where({ destination, people }: { destination: Destination; people: People }) {
  const { config, kind, recipients } = destination
  if (config) {
    return (
      <>
        <VisuallyHidden>{KINDS[kind].name}, </VisuallyHidden>
        <span dir="ltr">{config.url}</span>
      </>
    )
  }
  const names = recipients.map((id) => people.find((one) => one.id === id)?.name)
  return (
    <>
      {KINDS[kind].name} to{' '}
      <bdi>{names.filter((name) => name !== undefined).join(', ') || 'nobody'}</bdi>
    </>
  )
}

/** People who are to get a mail, and have no address for it any more. */
function LeftOut({
  destination: { recipients },
  people,
}: {
  destination: Destination
  people: People
}) {
  const names = people
    .filter(({ id, address }) => address === null && recipients.includes(id))
    .map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p className={classes.reason}>
      <bdi>{names.join(', ')}</bdi> {names.length === 1 ? 'has' : 'have'} no confirmed address, and{' '}
      {names.length === 1 ? 'gets' : 'get'} nothing.
    </p>
  )
}

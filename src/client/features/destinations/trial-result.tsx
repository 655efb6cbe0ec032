import { Loader } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'

import type { DestinationTrial } from '../../../shared/schemas/destination'
import { HostKeyPanel } from '../../components/form/host-key-panel'

import classes from './trial.module.css'

interface TrialResultProps {
  isPending: boolean
  trial: DestinationTrial | undefined
  /** The keys by which the server was known. */
  hostKeys: readonly string[]
  onConfirmKey: (shown: { hostKey: string; isChanged: boolean }) => void
}

/** What was done to try a destination, step by step, or why it failed; announced when it is known. */
export function TrialResult({ isPending, trial, hostKeys, onConfirmKey }: TrialResultProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button is always in view; what comes of it may not be.
    if (isPending || trial) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isPending, trial])
  const hostKey = trial?.hostKey
  const shown = hostKey === undefined ? undefined : { hostKey, isChanged: hostKeys.length > 0 }
  return (
    <div ref={place} className={classes.place}>
      <output className={classes.result} data-state={stateOf(isPending, trial)}>
        {isPending ? (
          <>
            <Loader size={18} aria-hidden="true" />
            <span>A small file is being sent …</span>
          </>
        ) : (
          trial && !shown && <Outcome {...trial} />
        )}
      </output>
      {shown && (
        <div className={classes.key}>
          <HostKeyPanel
            shown={shown}
            confirmed={hostKeys}
            isPending={isPending}
            onConfirm={() => onConfirmKey(shown)}
          />
        </div>
      )}
    </div>
  )
}

const stateOf = (isPending: boolean, trial: DestinationTrial | undefined) =>
  isPending
    ? 'pending'
    : trial?.hostKey === undefined && trial
      ? trial.isOk
        ? 'good'
        : 'bad'
      : 'none'

function Outcome({ isOk, text }: DestinationTrial) {
  const Glyph = isOk ? IconCircleCheck : IconAlertTriangle
  const steps = text.split('\n')
  return (
    <>
      <Glyph className={classes.glyph} size={18} stroke={1.9} aria-hidden="true" />
      <div className={classes.words}>
        <strong>{isOk ? 'It works' : 'It does not work yet'}</strong>
        {steps.map((step) => (
          <p key={step}>{step}</p>
        ))}
      </div>
    </>
  )
}

import { Button, Group } from '@mantine/core'
import { useState } from 'react'

import { formatCountOf } from '../../../shared/format'
import type { OwnSecondFactor } from '../../../shared/schemas/second-factor'
import { LoadError } from '../../components/feedback/message-state'
import { SettingLine } from '../../components/layout/setting-line'
import { formatDate } from '../../lib/time-format'
import { useSignedInUser } from '../../session/current-user'
import { trpc } from '../../trpc'
import { RenewCodesDialog, ReplaceDialog, TurnOffDialog, TurnOnDialog } from './lazy-dialogs'

type Change = 'on' | 'replace' | 'off' | 'codes'

/** The own second factor, in the settings. */
export function SecondFactorLine() {
  const query = trpc.secondFactor.get.useQuery()
  const isOnlyViewed = useSignedInUser().viewedUntil !== undefined
  const [change, setChange] = useState<Change>()
  const close = () => setChange(undefined)
  if (query.isError && !query.data) {
    return <LoadError isCompact title="Your second factor could not be loaded" query={query} />
  }
  return (
    <>
      <SettingLine title="Second factor" note={describe(query.data)}>
        {query.data?.hasPassword && !isOnlyViewed && (
          <Buttons factor={query.data} onChange={setChange} />
        )}
      </SettingLine>
      <TurnOnDialog isOpen={change === 'on'} onClose={close} />
      <ReplaceDialog isOpen={change === 'replace'} onClose={close} />
      <TurnOffDialog isOpen={change === 'off'} onClose={close} />
      <RenewCodesDialog isOpen={change === 'codes'} onClose={close} />
    </>
  )
}

function describe(factor: OwnSecondFactor | undefined): string {
  if (factor && !factor.hasPassword) {
    return 'You sign in with Google, which asks for a second factor itself.'
  }
  if (!factor?.since) return 'A code of an app on your phone, which signing in then takes too.'
  const left = formatCountOf(factor.recoveryCodesLeft, 'recovery code')
  const required = factor.isRequired ? ' Your administrator asks for it.' : ''
  return `On since ${formatDate(factor.since)}, with ${left} left.${required}`
}

interface ButtonsProps {
  factor: OwnSecondFactor
  onChange: (change: Change) => void
}

function Buttons({ factor, onChange }: ButtonsProps) {
  if (!factor.since) {
    return (
      <Button variant="default" onClick={() => onChange('on')}>
        Turn on…
      </Button>
    )
  }
  return (
    <Group gap={8}>
      <Button variant="default" onClick={() => onChange('codes')}>
        New codes…
      </Button>
      <Button variant="default" onClick={() => onChange('replace')}>
        Replace…
      </Button>
      {!factor.isRequired && (
        <Button variant="default" onClick={() => onChange('off')}>
          Turn off…
        </Button>
      )}
    </Group>
  )
}

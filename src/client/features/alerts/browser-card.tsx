import { Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'

import { Panel } from '../../components/layout/panel'
import {
  areNotificationsBlocked,
  askForNotifications,
  hasNotifications,
  useWantsNotifications,
  type Asked,
} from '../../live/browser-notifications'

const REASONS: Record<Exclude<Asked, 'shown'>, string> = {
  blocked:
    'This browser blocks notifications of this page. Allow them in its settings for the page, at the left of the address, and turn them on again.',
  unsupported: 'This browser shows no notifications of pages.',
}

/** Turns on notifications of this browser; it is asked on the click, and never before. */
export function BrowserCard() {
  const [isWanted, setWanted] = useWantsNotifications()
  const [asked, setAsked] = useState<Asked>()
  const isBlocked = areNotificationsBlocked()
  const problem = !hasNotifications()
    ? 'unsupported'
    : isBlocked && (isWanted || asked)
      ? 'blocked'
      : asked
  async function turn(isOn: boolean) {
    const answer = isOn ? await askForNotifications() : undefined
    setAsked(answer)
    setWanted(answer === 'shown')
  }
  return (
    <Panel title="Notifications in this browser" description="For you on this machine only">
      <Stack gap="xs">
        <Switch
          label="Show what the bell tells"
          description="While a window of Stockbridge is open in the background"
          checked={isWanted && !isBlocked}
          disabled={!hasNotifications()}
          onChange={(event) => void turn(event.currentTarget.checked)}
        />
        <Text component="output" fz="sm">
          {problem && problem !== 'shown' && REASONS[problem]}
        </Text>
      </Stack>
    </Panel>
  )
}

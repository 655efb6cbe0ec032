import { Switch, Text } from '@mantine/core'

import { ALERT_LABELS } from '../../../shared/alert-text'
import type { AlertKind, AlertWay } from '../../../shared/alerts'
import type { AlertChoices as Choices } from '../../../shared/schemas/alert'
import { Panel } from '../../components/layout/panel'
import { showFailure } from '../../lib/toast'
import { trpc } from '../../trpc'

import classes from './alert-choices.module.css'

const WAYS: { way: AlertWay; label: string }[] = [
  { way: 'bell', label: 'In the app' },
  { way: 'mail', label: 'E-mail' },
]

/** A switch for each kind and way; each saves at once. */
export function AlertChoices({ choices, mail }: Choices) {
  const choose = useChoose()
  const canMail = mail.isAvailable && mail.address !== null
  return (
    <Panel title="What you are told of" isFlush>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">When</th>
            {WAYS.map(({ way, label }) => (
              <th key={way} scope="col" className={classes.way}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {choices.map(({ kind, isWanted }) => (
            <tr key={kind}>
              <th scope="row">
                <Text component="div" fz="sm" fw={500}>
                  {ALERT_LABELS[kind].label}
                </Text>
                <Text component="div" c="dimmed" fz="xs">
                  {ALERT_LABELS[kind].note}
                </Text>
              </th>
              {WAYS.map(({ way, label }) => (
                <td key={way} className={classes.way}>
                  <Switch
                    size="sm"
                    aria-label={`${ALERT_LABELS[kind].label}: ${label}`}
                    checked={isWanted[way]}
                    disabled={way === 'mail' && !canMail}
                    onChange={(event) => choose(kind, way, event.currentTarget.checked)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

/** Shows a choice at once, and takes it back when it could not be saved. */
function useChoose() {
  const { alerts } = trpc.useUtils()
  const save = trpc.alerts.choose.useMutation({
    onError(error) {
      showFailure(error, 'Your choice could not be saved')
      void alerts.choices.invalidate()
    },
  })
  return (kind: AlertKind, way: AlertWay, isWanted: boolean) => {
    alerts.choices.setData(
      undefined,
      (known) => known && withChoice(known, { kind, way, isWanted }),
    )
    save.mutate({ kind, way, isWanted })
  }
}

function withChoice(
  known: Choices,
  { kind, way, isWanted }: { kind: AlertKind; way: AlertWay; isWanted: boolean },
): Choices {
  const choices = known.choices.map((choice) =>
    choice.kind === kind
      ? { ...choice, isWanted: { ...choice.isWanted, [way]: isWanted } }
      : choice,
  )
  return { ...known, choices }
}

import { Box, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { ButtonLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'

import classes from './first-steps.module.css'

interface FirstStepsProps {
  hasConnection: boolean
  hasRetailer: boolean
}

/** Guides a new supplier to a first connection and a first retailer; hidden once both exist. */
export function FirstSteps({ hasConnection, hasRetailer }: FirstStepsProps) {
  if (hasConnection && hasRetailer) return null
  return (
    <Box mt={20}>
      <Panel title="First steps" description="Two steps to share your inventory." isFlush>
        <ol className={classes.list}>
          <Step
            number={1}
            title="Connect your inventory file"
            text="Enter its URL, or send the file itself: CSV, Excel or ZIP. It is checked and published."
            isDone={hasConnection}
            action={
              <ButtonLink to="/supplier/connections" search={{ add: true }}>
                Add Connection
              </ButtonLink>
            }
          />
          <Step
            number={2}
            title="Invite your first retailer"
            text="Retailers sign in to preview and download the rows they may see."
            isDone={hasRetailer}
            action={
              <ButtonLink
                to="/supplier/retailers"
                search={{ add: true }}
                variant={hasConnection ? 'filled' : 'default'}
              >
                Add Retailer
              </ButtonLink>
            }
          />
        </ol>
      </Panel>
    </Box>
  )
}

interface StepProps {
  number: number
  title: string
  text: string
  isDone: boolean
  action: ReactNode
}

function Step({ number, title, text, isDone, action }: StepProps) {
  return (
    <li className={classes.step}>
      <span className={classes.number} data-done={isDone} aria-hidden="true">
        {isDone ? <IconCheck size={15} stroke={2.5} /> : number}
      </span>
      <div className={classes.texts}>
        <Text component="div" fw={600}>
          {title}
        </Text>
        <Text component="div" c="dimmed">
          {text}
        </Text>
      </div>
      {isDone ? <span className={classes.done}>Done</span> : action}
    </li>
  )
}

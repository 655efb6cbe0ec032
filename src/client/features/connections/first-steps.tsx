import { Box, Group, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import type { Connection } from '../../../shared/schemas/connection'
import { ButtonLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'

import classes from './first-steps.module.css'

interface FirstStepsProps {
  connection: Connection | undefined
  hasRetailer: boolean
  /** Whether a retailer or its shop has read the file. */
  hasReader: boolean
}

/** Guides a new supplier from its file to the first shop that has read it; hidden then. */
export function FirstSteps({ connection, hasRetailer, hasReader }: FirstStepsProps) {
  const isPublished = typeof connection?.lastSync === 'string'
  if (isPublished && hasRetailer && hasReader) return null
  return (
    <Box mt={20}>
      <Panel title="First steps" description="Four steps to share your inventory." isFlush>
        <ol className={classes.list}>
          <Step
            number={1}
            title="Connect your inventory file"
            text="Enter its URL, or send the file itself: CSV, Excel, XML, JSON or ZIP. It is checked and published."
            isDone={connection !== undefined}
            action={
              <Group gap={10}>
                <ButtonLink
                  to="/supplier/connections"
                  search={{ add: true, sample: true }}
                  variant="default"
                >
                  Try with a sample file
                </ButtonLink>
                <ButtonLink to="/supplier/connections" search={{ add: true }}>
                  Add Connection
                </ButtonLink>
              </Group>
            }
          />
          <Step
            number={2}
            title="Check how it is read"
            text={
              connection?.status === 'held'
                ? 'Your file is held: compare it, and decide.'
                : 'See what was found as SKU, quantity, barcode and price. It is done once a file is published.'
            }
            isDone={isPublished}
            action={
              connection && <ButtonLink to="/supplier/connections">Open Connections</ButtonLink>
            }
          />
          <Step
            number={3}
            title="Invite your first retailer"
            text="Retailers sign in to preview and download the rows they may see."
            isDone={hasRetailer}
            action={
              <ButtonLink
                to="/supplier/retailers"
                search={{ add: true }}
                variant={isPublished ? 'filled' : 'default'}
              >
                Add Retailer
              </ButtonLink>
            }
          />
          <Step
            number={4}
            title="Its first read"
            text="Your retailer downloads the file, or connects its shop: you can send it the page where it does."
            isDone={hasReader}
            action={
              hasRetailer && (
                <ButtonLink to="/supplier/retailers" variant="default">
                  See Retailers
                </ButtonLink>
              )
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

import { Title, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useId } from 'react'

import { nameCallers, type ApiCall } from './api-calls'
import { CallDetail } from './call-detail'
import { MethodBadge } from './method-badge'
import type { Schemas } from './schema-text'

import classes from './call-row.module.css'

/** A call in one line that expands to its details. */
export function CallRow({ call, schemas }: { call: ApiCall; schemas: Schemas }) {
  const [isOpen, disclosure] = useDisclosure(false)
  const detailId = useId()
  return (
    <div className={classes.row} data-open={isOpen || undefined}>
      <Title order={3}>
        <UnstyledButton
          className={classes.button}
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailId : undefined}
          onClick={disclosure.toggle}
        >
          <MethodBadge method={call.method} />
          <span className={classes.texts}>
            <Path path={call.path} />
            <span className={classes.summary}>{call.operation.summary}</span>
          </span>
          <span className={classes.callers}>
            {nameCallers(call.operation).map((caller) => (
              <span key={caller} className={classes.caller}>
                {caller}
              </span>
            ))}
          </span>
          <IconChevronDown size={16} className={classes.chevron} aria-hidden="true" />
        </UnstyledButton>
      </Title>
      {isOpen && (
        <div id={detailId}>
          <CallDetail call={call} schemas={schemas} />
        </div>
      )}
    </div>
  )
}

/** The path with its parameters highlighted. */
function Path({ path }: { path: string }) {
  return (
    <code className={classes.path}>
      {path.split(/(\{\w+\})/).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of a path never change
        <span key={index} className={part.startsWith('{') ? classes.parameter : undefined}>
          {part}
        </span>
      ))}
    </code>
  )
}

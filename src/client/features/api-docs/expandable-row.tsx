import { Title, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'

import classes from './expandable-row.module.css'

interface ExpandableRowProps {
  badge: ReactNode
  /** In monospace. */
  name: ReactNode
  summary: string
  /** Whom it is for. */
  people: string[]
  /** The details. */
  children: ReactNode
}

/** A call or an event in one line that expands to its details. */
export function ExpandableRow({ badge, name, summary, people, children }: ExpandableRowProps) {
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
          {badge}
          <span className={classes.texts}>
            <code className={classes.name}>{name}</code>
            <span className={classes.summary}>{summary}</span>
          </span>
          <span className={classes.people}>
            {people.map((one) => (
              <span key={one} className={classes.person}>
                {one}
              </span>
            ))}
          </span>
          <IconChevronDown size={16} className={classes.chevron} aria-hidden="true" />
        </UnstyledButton>
      </Title>
      {isOpen && <div id={detailId}>{children}</div>}
    </div>
  )
}

import { Group, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

import classes from './panel.module.css'

interface PanelProps {
  /** By which an address leads to it. */
  id?: string
  title?: ReactNode
  /** A line under the title. */
  description?: ReactNode
  /** Buttons in the title line. */
  actions?: ReactNode
  footer?: ReactNode
  /** No padding around the content, for tables. */
  isFlush?: boolean
  children: ReactNode
}

/** A titled box; all content of a page is inside panels. */
export function Panel({ id, title, description, actions, footer, isFlush, children }: PanelProps) {
  const titleId = useId()
  return (
    <section id={id} className={classes.panel} aria-labelledby={title ? titleId : undefined}>
      {title && (
        <div className={classes.header}>
          <div className={classes.texts}>
            <Title order={2} id={titleId}>
              <bdi>{title}</bdi>
            </Title>
            {description && (
              <Text component="div" mt={2} c="dimmed" fz="sm">
                {description}
              </Text>
            )}
          </div>
          {actions && (
            <Group align="stretch" gap={8}>
              {actions}
            </Group>
          )}
        </div>
      )}
      <div className={isFlush ? classes.flush : classes.body}>{children}</div>
      {footer && <div className={classes.footer}>{footer}</div>}
    </section>
  )
}

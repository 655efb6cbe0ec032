import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

import classes from './page-header.module.css'

interface PageHeaderProps {
  title: ReactNode
  subtitle?: ReactNode
  /** Buttons to the right of the title; below it on phones. */
  actions?: ReactNode
}

export function PageHeader({ title, subtitle, actions }: PageHeaderProps) {
  return (
    <div className={classes.header}>
      <div className={classes.texts}>
        <Title order={1} tabIndex={-1}>
          <bdi>{title}</bdi>
        </Title>
        {subtitle && (
          <Text component="div" c="dimmed" mt={4}>
            {subtitle}
          </Text>
        )}
      </div>
      {actions && <Group gap={8}>{actions}</Group>}
    </div>
  )
}

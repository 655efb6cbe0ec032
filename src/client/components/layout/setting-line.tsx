import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface SettingLineProps {
  title: string
  note: string
  /** What is done about it. */
  children: ReactNode
}

/** A line of a panel: something that concerns the user, and what can be done about it. */
export function SettingLine({ title, note, children }: SettingLineProps) {
  return (
    <Group justify="space-between" gap="12px 24px">
      <div style={{ flex: '1 1 240px' }}>
        <Text component="div" fw={550}>
          {title}
        </Text>
        <Text component="div" c="dimmed" fz="sm">
          {note}
        </Text>
      </div>
      {children}
    </Group>
  )
}

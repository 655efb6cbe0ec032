import { Skeleton, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconFileTypeCsv } from '@tabler/icons-react'

import { formatOptionLabel } from '../../../shared/format'
import type { Connection } from '../../../shared/schemas/connection'
import { LoadError } from '../../components/feedback/message-state'
import { Truncated } from '../../components/layout/truncated'
import { trpc } from '../../trpc'

import classes from './connection-picker.module.css'

interface ConnectionPickerProps {
  selectedId: number | undefined
  onSelect: (connection: Connection) => void
}

/** The list at the left of the supplier's Inventory Preview. */
export function ConnectionPicker({ selectedId, onSelect }: ConnectionPickerProps) {
  const list = trpc.connections.list.useQuery()
  if (list.isPending) {
    return (
      <Stack component="output" gap="xs" p={4} aria-label="Loading connections">
        <Skeleton height={46} radius="md" />
      </Stack>
    )
  }
  if (list.isError) {
    return <LoadError isCompact title="The connections could not be loaded" query={list} />
  }
  if (list.data.length === 0) {
    return (
      <Text c="dimmed" p="md" ta="center">
        No connections found
      </Text>
    )
  }
  return (
    <ul className={classes.list}>
      {list.data.map((connection) => (
        <li key={connection.id}>
          <UnstyledButton
            className={classes.item}
            aria-pressed={connection.id === selectedId}
            onClick={() => onSelect(connection)}
          >
            <IconFileTypeCsv size={20} stroke={1.5} aria-hidden="true" />
            <span className={classes.texts}>
              <Truncated text={connection.name} tone="strong" />
              <Text span c="dimmed" fz="xs">
                {formatOptionLabel(connection.type)}
              </Text>
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}

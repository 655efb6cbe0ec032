import { Group, Paper, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'

import type { Passkey } from '../../../shared/schemas/passkey'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { RowActions } from '../../components/table/row-actions'
import { formatDate } from '../../lib/time-format'

interface PasskeyListProps {
  passkeys: readonly Passkey[]
  /** Undefined for those who only look. */
  changes:
    | { onRename: (passkey: Passkey) => void; onRemove: (passkey: Passkey) => void }
    | undefined
}

export function PasskeyList({ passkeys, changes }: PasskeyListProps) {
  return (
    <Paper
      component="ul"
      withBorder
      radius="md"
      p={0}
      m={0}
      style={{ listStyle: 'none' }}
      aria-label="Your passkeys"
    >
      {passkeys.map((passkey, index) => (
        <Group
          key={passkey.id}
          component="li"
          justify="space-between"
          wrap="nowrap"
          gap="sm"
          p="10px 8px 10px 14px"
          style={index > 0 ? { borderTop: '1px solid var(--sb-line)' } : undefined}
        >
          <div style={{ minWidth: 0 }}>
            <Truncated text={passkey.name} tone="strong" />
            <Text component="div" c="dimmed" fz="sm">
              <Use passkey={passkey} />
            </Text>
          </div>
          {changes && (
            <RowActions
              rowName={passkey.name}
              actions={[
                { label: 'Rename', icon: IconPencil, onClick: () => changes.onRename(passkey) },
                {
                  label: 'Remove',
                  icon: IconTrash,
                  isDestructive: true,
                  onClick: () => changes.onRemove(passkey),
                },
              ]}
            />
          )}
        </Group>
      ))}
    </Paper>
  )
}

function Use({ passkey: { createdAt, lastUsedAt, otherHost } }: { passkey: Passkey }) {
  const added = `Added ${formatDate(createdAt)}`
  if (otherHost !== null) return `${added}, for ${otherHost} only`
  if (lastUsedAt === null) return `${added}, not used yet`
  return (
    <>
      {added}, used <TimeAgo instant={lastUsedAt} />
    </>
  )
}

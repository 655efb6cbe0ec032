import { Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'

import type { Passkey } from '../../../shared/schemas/passkey'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { RowActions } from '../../components/table/row-actions'
import { formatDate } from '../../lib/time-format'

import classes from './passkeys.module.css'

interface PasskeyListProps {
  passkeys: readonly Passkey[]
  /** Undefined for those who only look. */
  changes:
    | { onRename: (passkey: Passkey) => void; onRemove: (passkey: Passkey) => void }
    | undefined
}

export function PasskeyList({ passkeys, changes }: PasskeyListProps) {
  return (
    <ul className={classes.list} aria-label="Your passkeys">
      {passkeys.map((passkey) => (
        <li key={passkey.id} className={classes.passkey}>
          <div className={classes.texts}>
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
        </li>
      ))}
    </ul>
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

import { Button } from '@mantine/core'

import { tellAuditEntry } from '../../../shared/audit-actions'
import { formatCountOf } from '../../../shared/format'
import type { AuditEntry } from '../../../shared/schemas/audit'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import type { Column } from '../../components/table/table-column'
import { describeOrigin } from './audit-words'

import classes from './audit.module.css'

interface AuditColumnsProps {
  openId: number | null
  onOpen: (id: number | null) => void
}

export function auditColumns({ openId, onOpen }: AuditColumnsProps): Column<AuditEntry>[] {
  return [
    {
      id: 'what',
      header: 'What',
      minWidth: 260,
      cell: (entry) => <Sentence entry={entry} />,
    },
    { id: 'when', header: 'When', width: 152, cell: ({ at }) => <TimeAgo instant={at} /> },
    {
      id: 'where',
      header: 'From',
      width: 168,
      cell: ({ origin, address }) => (
        <Truncated text={describeOrigin(origin, address)} tone="note" dir="ltr" />
      ),
    },
    {
      id: 'changes',
      header: 'Changes',
      align: 'right',
      width: 136,
      cell: ({ id, changes }) =>
        changes.length === 0 ? (
          '–'
        ) : (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-expanded={openId === id}
            onClick={() => onOpen(openId === id ? null : id)}
          >
            {formatCountOf(changes.length, 'field')}
          </Button>
        ),
    },
  ]
}

function Sentence({ entry }: { entry: AuditEntry }) {
  const { who, did } = tellAuditEntry(entry)
  return (
    <span className={classes.sentence}>
      <strong>
        <bdi>{who}</bdi>
      </strong>{' '}
      <bdi>{did}</bdi>
      {entry.count > 1 && (
        <span className={classes.first}>
          , first <TimeAgo instant={entry.firstAt} />
        </span>
      )}
    </span>
  )
}

import { IconKeyOff } from '@tabler/icons-react'

import type { ApiKey } from '../../../shared/schemas/api-key'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Truncated } from '../../components/layout/truncated'
import { DataTable } from '../../components/table/data-table'
import { RowActions } from '../../components/table/row-actions'
import type { Column } from '../../components/table/table-column'
import { useNow } from '../../lib/use-now'
import { SCOPE_WORDS } from './api-key-words'

interface ApiKeyTableProps {
  keys: readonly ApiKey[] | undefined
  /** Absent for who may only look. */
  onEnd?: ((key: ApiKey) => void) | undefined
}

/** The keys of a person. */
export function ApiKeyTable({ keys, onEnd }: ApiKeyTableProps) {
  return (
    <DataTable
      label="API keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={onEnd ? [...COLUMNS, actionsColumn(onEnd)] : COLUMNS}
    />
  )
}

const COLUMNS: Column<ApiKey>[] = [
  {
    id: 'name',
    header: 'Name',
    minWidth: 160,
    cell: ({ name, tokenEnd }) => (
      <>
        <Truncated text={name} tone="strong" />
        <Truncated text={`sb_…${tokenEnd}`} tone="note" dir="ltr" />
      </>
    ),
  },
  { id: 'scopes', header: 'Allows', minWidth: 190, cell: (key) => <Reach {...key} /> },
  { id: 'expires', header: 'Expires', width: 140, cell: (key) => <End {...key} /> },
  { id: 'lastUsed', header: 'Last used', minWidth: 170, cell: (key) => <LastUse {...key} /> },
]

const actionsColumn = (onEnd: (key: ApiKey) => void): Column<ApiKey> => ({
  id: 'actions',
  header: 'Actions',
  align: 'right',
  actionCount: 1,
  cell: (key) => (
    <RowActions
      rowName={key.name}
      actions={[{ label: 'End', icon: IconKeyOff, isDestructive: true, onClick: () => onEnd(key) }]}
    />
  ),
})

function Reach({ scopes, connection, retailer, networks }: ApiKey) {
  const part = connection ?? retailer
  const limits = [
    part && `Only ${part.name}`,
    networks.length > 0 && `Only from ${networks.join(', ')}`,
  ].filter(Boolean)
  return (
    <>
      <Truncated text={scopes.map((scope) => SCOPE_WORDS[scope].label).join(', ')} />
      {limits.length > 0 && <Truncated text={limits.join('. ')} tone="note" lines={2} />}
    </>
  )
}

function End({ expiresAt }: ApiKey) {
  const now = useNow()
  if (expiresAt === null) return 'Never'
  if (Date.parse(expiresAt) <= now) return <StatusBadge tone="bad">Expired</StatusBadge>
  return <TimeAgo instant={expiresAt} />
}

function LastUse({ lastUsedAt, program, address }: ApiKey) {
  if (lastUsedAt === null) return 'Not used yet'
  const place = [program, address && `from ${address}`].filter(Boolean).join(' ')
  return (
    <>
      <TimeAgo instant={lastUsedAt} />
      {place && <Truncated text={place} tone="note" lines={2} />}
    </>
  )
}

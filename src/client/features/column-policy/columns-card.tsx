import { IconColumns3 } from '@tabler/icons-react'

import { formatCount } from '../../../shared/format'
import type { ColumnSettings } from '../../../shared/schemas/column-policy'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { ROLE_LABELS, roleNames } from '../../lib/role-labels'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { DECIMAL_MARK_LABELS } from './decimal-mark-labels'

const ColumnsDialog = lazyDialog(async () => (await import('./columns-dialog')).ColumnsDialog)

interface ColumnsCardProps {
  connectionId: number
  /** Whether its dialog is open. */
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}

/** Which columns retailers see, and what each of them is. */
export function ColumnsCard({ connectionId, isOpen, onOpen, onClose }: ColumnsCardProps) {
  const query = trpc.columnPolicy.get.useQuery({ id: connectionId })
  const mayChange = useMay('manage')
  const hasFile = query.data !== undefined && query.data.columns.length > 0
  return (
    <Panel
      title="Columns"
      description="What your retailers see, and what shop systems are told"
      actions={
        hasFile &&
        mayChange && (
          <PanelButton icon={IconColumns3} onClick={onOpen}>
            Change columns
          </PanelButton>
        )
      }
    >
      {query.isError ? (
        <LoadError isCompact title="The columns could not be loaded" query={query} />
      ) : hasFile ? (
        <Figures settings={query.data} />
      ) : query.data ? (
        <EmptyState isCompact icon={IconColumns3} title="No file is published yet">
          {mayChange
            ? 'After the first published sync, choose here which columns retailers never see.'
            : 'After the first published sync, it is said here which columns retailers never see.'}
        </EmptyState>
      ) : (
        <LoadingBlock height={42} label="Loading the columns" />
      )}
      <ColumnsDialog
        isOpen={isOpen}
        connectionId={connectionId}
        settings={query.data}
        onClose={onClose}
      />
    </Panel>
  )
}

function Figures({ settings: { policy, found, columnCount } }: { settings: ColumnSettings }) {
  const hidden = policy.hidden.length > 0 ? policy.hidden.join(', ') : 'None'
  return (
    <DefinitionList
      items={[
        { term: 'Columns', value: formatCount(columnCount) },
        { term: 'Hidden from retailers', value: hidden },
        ...roleNames.map((role) => ({
          term: ROLE_LABELS[role],
          value: policy.roles[role] ?? found[role] ?? 'None found',
        })),
        { term: 'Decimal mark', value: DECIMAL_MARK_LABELS[policy.decimalMark ?? 'automatic'] },
      ]}
    />
  )
}

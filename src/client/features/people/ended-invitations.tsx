import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'

import { formatCountOf } from '../../../shared/format'
import type { Invitation } from '../../../shared/schemas/invitation'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { RecordsDownload } from '../../components/layout/records-download'
import { DataTable } from '../../components/table/data-table'
import { INVITATION_CSV, endedColumn, toColumns, type InvitedKind } from './invitation-columns'

interface EndedInvitationsProps {
  ended: readonly Invitation[]
  of: InvitedKind
}

/** The invitations that were accepted or withdrawn, on demand. */
export function EndedInvitations({ ended, of }: EndedInvitationsProps) {
  const [isShown, setShown] = useState(false)
  return (
    <Panel
      title="Earlier invitations"
      description={`${formatCountOf(ended.length, 'invitation')} accepted or withdrawn within a month`}
      actions={
        <>
          <RecordsDownload
            rows={ended}
            columns={INVITATION_CSV}
            fileName="earlier-invitations.csv"
          />
          <PanelButton
            icon={IconHistory}
            aria-expanded={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </PanelButton>
        </>
      }
      isFlush
    >
      {isShown && (
        <DataTable
          label="Earlier invitations"
          columns={[...toColumns(of), endedColumn]}
          rows={ended}
          rowKey={({ id }) => id}
        />
      )}
    </Panel>
  )
}

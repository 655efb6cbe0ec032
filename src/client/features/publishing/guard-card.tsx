import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'

import type { Guard } from '../../../shared/schemas/publishing'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'

const GuardDialog = lazyDialog(async () => (await import('./guard-dialog')).GuardDialog)

/** What holds a new file back until the supplier has decided. */
export function GuardCard({ connectionId }: { connectionId: number }) {
  const query = trpc.publishing.guard.useQuery({ id: connectionId })
  const mayChange = useMay('manage')
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title="Safety checks"
      description="A new file that fails one is held, and retailers keep the last good file"
      actions={
        query.data &&
        mayChange && (
          <PanelButton icon={IconShieldCheck} onClick={() => setOpen(true)}>
            Change checks
          </PanelButton>
        )
      }
    >
      {query.isError && !query.data ? (
        <LoadError isCompact title="The safety checks could not be loaded" query={query} />
      ) : query.data ? (
        <DefinitionList items={listChecks(query.data)} />
      ) : (
        <LoadingBlock height={42} label="Loading the safety checks" />
      )}
      <GuardDialog
        isOpen={isOpen}
        connectionId={connectionId}
        guard={query.data}
        onClose={() => setOpen(false)}
      />
    </Panel>
  )
}

function listChecks(guard: Guard) {
  const below = (percent: number | null) => (percent === null ? 'Off' : `Below ${percent} %`)
  const { maxLostKeysPercent: lost } = guard
  return [
    { term: 'Rows', value: below(guard.minRowsPercent) },
    { term: 'Total quantity', value: below(guard.minQuantityPercent) },
    { term: 'Items gone or sold out', value: lost === null ? 'Off' : `Above ${lost} %` },
    { term: 'Important columns', value: guard.needsColumns ? 'When one is gone' : 'Off' },
  ]
}

import { IconPlus, IconTruckDelivery } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'

import { MAX_DESTINATIONS, SEND_MY_FILE } from '../../../shared/constants'
import type { Destination } from '../../../shared/schemas/destination'
import { lazyDialog } from '../../components/dialog/lazy-dialog'
import { lazyPart } from '../../components/feedback/lazy-part'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { EmptyState, LoadError } from '../../components/feedback/message-state'
import { Panel } from '../../components/layout/panel'
import { PanelButton } from '../../components/layout/panel-button'
import { useDialogSubject } from '../../lib/use-dialog-subject'
import { useShownPart } from '../../lib/use-shown-part'
import { useMay } from '../../session/may'
import { useDestinationCalls, type SentFile } from './sent-file'

const DestinationList = lazyPart(async () => (await import('./destination-list')).DestinationList, {
  name: 'destinations',
  height: 120,
})
const Dispatches = lazyPart(async () => (await import('./dispatches-panel')).DispatchesPanel, {
  name: 'deliveries',
  height: 220,
})
const DestinationDialog = lazyDialog(
  async () => (await import('./destination-dialog')).DestinationDialog,
)

interface SendMyFileProps {
  file: SentFile
  supplierName: string | null
  viewedBy: 'retailer' | 'supplier'
}

/** Where a file is sent to, for systems that cannot fetch it; little code until there is a destination. */
export function SendMyFile({ file, supplierName, viewedBy }: SendMyFileProps) {
  const { known, of } = useDestinationCalls(file)
  const list = useQuery(known.list.queryOptions(of))
  const editing = useDialogSubject<Destination | null>()
  const mayChange = useMay('addresses')
  const count = list.data?.destinations.length ?? 0
  useShownPart(SEND_MY_FILE, list.data !== undefined)
  return (
    <>
      <Panel
        id={SEND_MY_FILE}
        title={file === 'merged' ? 'Send my merged file' : 'Send my file'}
        description={
          list.data && count === MAX_DESTINATIONS
            ? `${MAX_DESTINATIONS} destinations: delete one to add another`
            : 'For a system that waits for the file instead of fetching it'
        }
        actions={
          mayChange &&
          list.data &&
          count < MAX_DESTINATIONS && (
            <PanelButton icon={IconPlus} onClick={() => editing.open(null)}>
              Add destination
            </PanelButton>
          )
        }
      >
        {list.isError && !list.data ? (
          <LoadError isCompact title="The destinations could not be loaded" query={list} />
        ) : list.data === undefined ? (
          <LoadingBlock height={60} label="Loading the destinations" />
        ) : count > 0 ? (
          <DestinationList
            file={file}
            list={list.data}
            mayChange={mayChange}
            onEdit={editing.open}
          />
        ) : (
          <EmptyState isRow icon={IconTruckDelivery} title={WORDS[viewedBy].title}>
            {WORDS[viewedBy].text} {!mayChange && WORDS[viewedBy].whoAdds}
          </EmptyState>
        )}
      </Panel>
      {list.data && (count > 0 || list.data.hasDispatches) && (
        <Dispatches file={file} destinations={list.data.destinations} />
      )}
      <DestinationDialog
        isOpen={editing.isOpen}
        onClose={editing.close}
        file={file}
        supplierName={supplierName}
        destination={editing.subject}
        list={list.data}
      />
    </>
  )
}

const WORDS = {
  retailer: {
    title: 'Your system cannot fetch?',
    text: 'We can send the file to it.',
    whoAdds: 'Owners and technicians of your company add a destination.',
  },
  supplier: {
    title: 'Its system cannot fetch?',
    text: 'The file can be sent to it.',
    whoAdds: 'Owners and editors of your company add a destination.',
  },
}

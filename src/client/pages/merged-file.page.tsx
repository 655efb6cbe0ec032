import { IconStack2 } from '@tabler/icons-react'

import { lazyPart } from '../components/feedback/lazy-part'
import { LoadingBlock } from '../components/feedback/loading-block'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { ButtonLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { MergedFile } from '../features/merged-file/merged-file'
import { useMergedFile } from '../features/merged-file/use-save-merged-file'
import { usePageTitle } from '../session/page-title'

const SendMyFile = lazyPart(
  async () => (await import('../features/destinations/send-my-file')).SendMyFile,
  { name: 'destinations', height: 220 },
)

/** One file made of those of several suppliers, for a retailer with two or more. */
export function MergedFilePage() {
  usePageTitle('Merged file')
  const query = useMergedFile()
  const { data } = query
  return (
    <>
      <PageHeader
        title="Merged file"
        subtitle="One file of all your suppliers, for your shop and for you"
      />
      {data ? (
        data.settings || data.relations.length > 1 ? (
          <MergedFile file={data} query={query}>
            <SendMyFile file="merged" supplierName="merged" viewedBy="retailer" />
          </MergedFile>
        ) : (
          <Panel>
            <EmptyState
              icon={IconStack2}
              title="For two suppliers or more"
              action={<ButtonLink to="/retailer/directory">Find suppliers</ButtonLink>}
            >
              A merged file is made of the files of several suppliers. You have one, whose file you
              find under Inventory Preview.
            </EmptyState>
          </Panel>
        )
      ) : query.isError ? (
        <Panel>
          <LoadError title="The merged file could not be loaded" query={query} />
        </Panel>
      ) : (
        <LoadingBlock height={520} label="Loading the merged file" />
      )}
    </>
  )
}

import { formatCount } from '../../../shared/format'
import type { ShownMergedFile } from '../../../shared/schemas/merged-file'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Panel } from '../../components/layout/panel'
import { DataTable } from '../../components/table/data-table'
import type { Column } from '../../components/table/table-column'

type KeptVersion = ShownMergedFile['versions'][number]

/** The files that are kept: of each, shops can ask what has changed since. */
export function KeptVersions({ versions }: { versions: readonly KeptVersion[] }) {
  return (
    <Panel
      isFlush
      title="Versions"
      description="The last ten files: shops can ask what has changed since each"
    >
      <DataTable
        label="Versions of the merged file"
        rows={versions}
        rowKey={({ madeAt }) => madeAt}
        columns={COLUMNS}
      />
    </Panel>
  )
}

const COLUMNS: Column<KeptVersion>[] = [
  { id: 'made', header: 'Made', cell: ({ madeAt }) => <TimeAgo instant={madeAt} /> },
  count('items', 'Items', ({ rowCount }) => rowCount),
  count('shared', 'Of several', ({ sharedCount }) => sharedCount),
  count('unmatched', 'Unmatched', ({ unmatchedCount }) => unmatchedCount),
]

function count(
  id: string,
  header: string,
  read: (one: KeptVersion) => number,
): Column<KeptVersion> {
  return { id, header, align: 'right', width: 104, cell: (one) => formatCount(read(one)) }
}

import type { SupplierOverview } from '../../../shared/schemas/supplier'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Breakable } from '../../components/layout/breakable'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'
import { formatDate } from '../../lib/time-format'
import { describeRetailers } from './retailers-in-use'

/** A supplier's account and figures. */
export function SupplierAccount({ supplier }: { supplier: SupplierOverview }) {
  const { isActive, publishedAt, createdAt } = supplier
  return (
    <Panel title="Account">
      <DefinitionList
        items={[
          {
            term: 'Status',
            value: (
              <StatusBadge tone={isActive ? 'good' : 'neutral'}>
                {isActive ? 'Active' : 'Inactive'}
              </StatusBadge>
            ),
          },
          { term: 'Contact email', value: <Breakable address={supplier.contactEmail ?? 'N/A'} /> },
          { term: 'In use', value: describeRetailers(supplier) },
          {
            term: 'Last publish',
            value: publishedAt ? <TimeAgo instant={publishedAt} /> : 'Never',
          },
          {
            term: 'Created at',
            value: <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
          },
        ]}
      />
    </Panel>
  )
}

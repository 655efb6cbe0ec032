import { formatOptionLabel, formatSyncFrequency } from '../../../shared/format'
import type { Retailer } from '../../../shared/schemas/retailer'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'

/** The supplier, delivery settings and store of a retailer. */
export function DataSourceCard({ retailer }: { retailer: Retailer }) {
  return (
    <Panel title="Data Source" description={`Provided by ${retailer.supplierName || 'Supplier'}`}>
      <DefinitionList
        items={[
          { term: 'Connection Type', value: formatOptionLabel(retailer.connectionType) },
          { term: 'File Format', value: retailer.fileFormat },
          { term: 'Sync Frequency', value: formatSyncFrequency(retailer.syncFrequency) },
          { term: 'Store Name', value: retailer.storeName || 'Not configured' },
        ]}
      />
    </Panel>
  )
}

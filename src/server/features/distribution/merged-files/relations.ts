import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import type { Db } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import { toViewKey, type MergedFrom, type VariantSpec } from '../../../db/stored-json'
import { toVariantSpec, WHOLE_FILE } from '../../../domain/variant-spec'
import { listSupplierConnections } from '../../catalogue/connections/connections.queries'
import { listRetailers, type RetailerRecord } from '../retailers/retailers.queries'

/** What a retailer sees of one supplier now. */
export interface SeenRelation {
  retailer: RetailerRecord
  /** null: the supplier has none. */
  connection: ConnectionRow | null
  /** Which rows and columns; null: all. */
  view: VariantSpec | null
  /** Names these. */
  seenKey: string
}

const AS_IT_IS = shopFormatSchema.parse({})

/** Lists the relations of a retailer's company, by id. */
export async function listRelations(db: Db, userId: number): Promise<SeenRelation[]> {
  const retailers = await listRetailers(db, { userId })
  const suppliers = retailers.map(({ supplierId }) => supplierId)
  const connections = suppliers.length > 0 ? await listSupplierConnections(db, suppliers) : []
  const bySupplier = new Map(connections.map((connection) => [connection.supplierId, connection]))
  return retailers.map((retailer) => {
    const connection = bySupplier.get(retailer.supplierId) ?? null
    const view =
      connection &&
      toVariantSpec(
        { ...retailer, profile: AS_IT_IS, columnPolicy: connection.columnPolicy },
        'csv',
      )
    return { retailer, connection, view, seenKey: toViewKey(view ?? WHOLE_FILE) }
  })
}

/** Whether a merged file has only rows and columns that its retailer may still see. */
export function isStillSeen(
  { parts, gone }: MergedFrom,
  relations: readonly SeenRelation[],
): boolean {
  const seen = new Map(relations.map(({ retailer, seenKey }) => [retailer.id, seenKey]))
  return [...parts, ...gone].every(({ retailerId, seenKey }) => seen.get(retailerId) === seenKey)
}

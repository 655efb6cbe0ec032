import { foldName } from '../../../../shared/categories'
import type { Db } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import type { VariantSpec } from '../../../db/stored-json'
import { toPricing } from '../../../domain/variant-spec'
import { connectionKey, retailerKey } from '../../alerting/digests/digests.queries'
import {
  findSupplierConnection,
  listSupplierConnections,
} from '../../catalogue/connections/connections.queries'
import { findVersion, type VersionRecord } from '../../catalogue/versions/versions.queries'
import type { Person } from '../../people/accounts/persons.queries'
import { chooseVersionId } from '../downloads/chosen-version'
import { listRetailers } from '../retailers/retailers.queries'

/** The file of which somebody is told, and what of it may be seen. */
export type DigestSource = {
  key: string
  name: string
  storeName: string | null
  connection: ConnectionRow
  newer: VersionRecord
  /** null for all. */
  categories: string[] | null
  /** Names of columns as they are compared. */
  hidden: string[]
  /** How the prices are made that it shows; undefined: they are those of the file. */
  pricing: VariantSpec['pricing']
  isSupplier: boolean
}

/** Lists what a person may see now: all files of a supplier, of a retailer its part of the file that it reads. */
export async function listSources(db: Db, person: Person, now: number): Promise<DigestSource[]> {
  const companyId = person.memberOf ?? person.id
  if (person.role === 'SUPPLIER') {
    const connections = await listSupplierConnections(db, [companyId])
    const sources = await Promise.all(
      connections.map((connection) => toSupplierSource(db, connection)),
    )
    return sources.filter((source) => source !== undefined)
  }
  if (person.role !== 'RETAILER') return []
  const retailers = await listRetailers(db, { userId: companyId })
  const sources: DigestSource[] = []
  for (const retailer of retailers) {
    const connection = await findSupplierConnection(db, retailer.supplierId)
    const versionId = connection ? chooseVersionId(retailer, connection, now) : null
    const newer = versionId === null ? undefined : await findVersion(db, versionId)
    if (!connection || !newer) continue
    const { supplierName, storeName, isAllProducts, categories, priceRules } = retailer
    const isOneOfMore = retailers.filter(({ supplierId }) => supplierId === retailer.supplierId)
    sources.push({
      key: retailerKey(retailer.id),
      name: supplierName ?? 'Your supplier',
      storeName: isOneOfMore.length > 1 ? storeName : null,
      connection,
      newer,
      categories: isAllProducts ? null : categories,
      hidden: connection.columnPolicy.hidden.map(foldName),
      pricing: toPricing({ ...connection, priceRules }),
      isSupplier: false,
    })
  }
  return sources
}

async function toSupplierSource(
  db: Db,
  connection: ConnectionRow,
): Promise<DigestSource | undefined> {
  const { id, name, publishedVersionId } = connection
  const newer = publishedVersionId === null ? undefined : await findVersion(db, publishedVersionId)
  if (!newer) return undefined
  return {
    key: connectionKey(id),
    name,
    storeName: null,
    connection,
    newer,
    categories: null,
    hidden: [],
    pricing: undefined,
    isSupplier: true,
  }
}

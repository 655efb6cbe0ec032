import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import type {
  Connection,
  CreateConnectionInput,
  UpdateConnectionInput,
} from '../../../../shared/schemas/connection'
import { inTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow } from '../../../db/schema'
import { connectionScope, resolveSupplierId, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { hasAddress } from '../../../domain/source-host'
import { wakeScheduler } from '../../../domain/wake-scheduler'
import { findUser } from '../../people/accounts/users.queries'
import { toAuditedConnection, recordConnectionAudit } from '../../people/audit/audited-records'
import { changeConnection } from './connection-settings'
import {
  findConnection,
  findSupplierConnection,
  insertConnection,
  eachConnectionRow,
} from './connections.queries'
import { changeOverlay, requireCompatible } from './overlay-settings'
import { unlockSources } from './private-keys'
import { asViewer, toConnections, toOneConnection } from './shown-connections'
import { sourceOwner } from './source-address'
import { toSourceConfig, toStoredConfig } from './source-config'
import { toUpdateSettings } from './update-settings'

/** @throws DomainError NOT_FOUND when the connection does not exist or the actor may not see it */
export async function loadConnection(
  db: Db,
  actor: Actor,
  id: number,
): Promise<Owned<ConnectionRow>> {
  const row = await findConnection(db, id, connectionScope(actor))
  if (!row) throw notFound('Connection')
  return row
}

/** Lists a supplier's connections: one at most. */
export async function listConnections(deps: Deps, supplier: Actor): Promise<Connection[]> {
  const row = await findSupplierConnection(deps.db, supplier.id)
  return toConnections(deps, row ? [row] : [], asViewer(supplier))
}

/** Yields all connections that the actor may see, in pages. */
export async function* eachConnection(deps: Deps, actor: Actor): AsyncGenerator<Connection[]> {
  for await (const rows of eachConnectionRow(deps.db, connectionScope(actor))) {
    yield await toConnections(deps, rows, asViewer(actor))
  }
}

/** Creates a supplier's one connection, or throws CONFLICT. An active one syncs at once. */
export async function createConnection(
  deps: Deps,
  actor: Actor,
  input: CreateConnectionInput,
): Promise<Connection> {
  const supplierId = resolveSupplierId(actor, input.supplierId)
  const unlocked = await unlockSources(deps, supplierId, input)
  const row = await inTransaction(deps.db, async (trx) => {
    const supplier = await findUser(trx, supplierId)
    if (supplier?.role !== 'SUPPLIER') throw notFound('Supplier')
    return insertFirstConnection(trx, deps, supplierId, unlocked)
  })
  await wakeScheduler(deps)
  return toOneConnection(deps, row, actor)
}

/**
 * @param input with private keys as `unlockSources` returns them
 * @throws DomainError CONFLICT when the supplier already has a connection
 */
export async function insertFirstConnection(
  trx: WriteTransaction,
  deps: Deps,
  supplierId: number,
  input: CreateConnectionInput,
): Promise<ConnectionRow> {
  if (await findSupplierConnection(trx, supplierId)) {
    throw new DomainError('CONFLICT', 'A supplier can have only one connection')
  }
  const now = deps.clock.now()
  const config = toStoredConfig(
    toSourceConfig(deps.secrets, input.config, {
      owner: sourceOwner(supplierId, 'source'),
      fieldPrefix: 'config.',
    }),
  )
  const overlay = changeOverlay(deps.secrets, { supplierId }, null, input.overlay)
  const updates = input.updates ? toUpdateSettings(input.updates) : null
  requireCompatible({ config, updates, overlay })
  const row = await insertConnection(trx, {
    supplierId,
    name: input.name,
    type: input.type,
    config,
    fileFormat: input.fileFormat,
    syncFrequencyMinutes: input.syncFrequency,
    expectedEveryHours: input.expectedEveryHours ?? null,
    isActive: input.isActive,
    categoryReading: input.categoryReading ?? null,
    reading: input.reading ?? AUTOMATIC_READING,
    ...(input.columnRoles && {
      columnPolicy: columnPolicySchema.parse({ roles: input.columnRoles }),
    }),
    updates,
    overlay,
    nextSyncAt: input.isActive && hasAddress({ config }) ? now : null,
    createdAt: now,
  })
  const after = toAuditedConnection(row)
  await recordConnectionAudit(trx, deps, row, { verb: 'create', after })
  return row
}

/** Changes any settings of a connection. A new source syncs at once, an inactive one stops. */
export async function updateConnection(
  deps: Deps,
  actor: Actor,
  { id, ...changes }: UpdateConnectionInput,
): Promise<Connection> {
  const { supplierId } = await loadConnection(deps.db, actor, id)
  const unlocked = await unlockSources(deps, supplierId, changes)
  const row = await inTransaction(deps.db, async (trx) => {
    const connection = await loadConnection(trx, actor, id)
    return changeConnection(trx, deps, connection, unlocked)
  })
  await wakeScheduler(deps)
  return toOneConnection(deps, row, actor)
}

import { describeAlert } from '../../../../shared/alert-text'
import { maskAddress } from '../../../../shared/masked-address'
import { inTransaction, type Db } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import {
  isViewed,
  memberRoleOf,
  retailerScope,
  selfOf,
  viewAsOnlyReads,
  type Actor,
} from '../../../domain/actor'
import { countAttempts } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { readVisibility } from '../../distribution/retailers/retailers'
import {
  eachRetailerRow,
  type RetailerRecord,
} from '../../distribution/retailers/retailers.queries'
import { listPersonRows } from '../../people/accounts/persons.queries'
import { recordUserAudit } from '../../people/audit/record-audit'
import {
  eachOwnEntry,
  eachOwnNotification,
  eachOwnVersion,
  findOwnRow,
  listOwnAddresses,
  listOwnAlertChoices,
  listOwnDigests,
  listOwnApiKeys,
  listOwnDestinations,
  listOwnDispatches,
  listOwnDownloads,
  listOwnFactors,
  listOwnPasskeys,
  listOwnFeedAddresses,
  findOwnItemHistory,
  findOwnMailInbox,
  listOwnMails,
  listOwnMergedFiles,
  listOwnSftpLogins,
  listOwnCard,
  listOwnGroups,
  listOwnInvitations,
  listOwnMailAddresses,
  listOwnSessions,
  listOwnSignInPlaces,
  listOwnRequests,
  listOwnWebhooks,
  type OwnFiles,
} from './own-data.queries'

/** A record of what is stored, without secrets. */
type OwnRecord = Record<string, unknown>
/** Some records of a section; a section may come in several pieces. */
export type OwnPage = { section: string; records: OwnRecord[] }

/**
 * Counts and records a download of the own data, before anything is sent.
 * @throws DomainError FORBIDDEN for an administrator who only looks; THROTTLED
 */
export async function beginOwnData(deps: Deps, actor: Actor): Promise<void> {
  if (isViewed(actor)) throw viewAsOnlyReads()
  const self = selfOf(actor)
  await countAttempts(deps, [{ limit: 'downloadData', subject: self.id }])
  await inTransaction(deps.db, (trx) =>
    recordUserAudit(trx, deps, self, { action: 'user.download-data' }),
  )
}

/** Yields all that is stored about a person and, for an owner, about the company. */
export async function* eachOwnData(deps: Deps, actor: Actor): AsyncGenerator<OwnPage> {
  yield* eachOfPerson(deps, selfOf(actor).id)
  if (actor.role !== 'SUPER_ADMIN' && memberRoleOf(actor) === 'OWNER') {
    yield* eachOfCompany(deps, actor)
  }
}

async function* eachOfPerson({ db }: Deps, id: number): AsyncGenerator<OwnPage> {
  const { createdAt, deletionAt, ...account } = await findOwnRow(db, id)
  yield one('account', {
    ...account,
    createdAt: toInstant(createdAt),
    deletionAt: toInstantOrNull(deletionAt),
  })
  yield { section: 'mail', records: await listOwnMailAddresses(db, id) }
  yield { section: 'sessions', records: (await listOwnSessions(db, id)).map(withInstants) }
  yield { section: 'secondFactor', records: (await listOwnFactors(db, id)).map(withInstants) }
  yield { section: 'passkeys', records: (await listOwnPasskeys(db, id)).map(withInstants) }
  yield { section: 'apiKeys', records: (await listOwnApiKeys(db, id)).map(withInstants) }
  yield { section: 'addresses', records: (await listOwnAddresses(db, id)).map(withInstants) }
  yield { section: 'signInPlaces', records: (await listOwnSignInPlaces(db, id)).map(withInstants) }
  yield { section: 'alertChoices', records: await listOwnAlertChoices(db, id) }
  yield { section: 'digests', records: (await listOwnDigests(db, id)).map(withInstants) }
  for await (const rows of eachOwnNotification(db, id)) {
    yield {
      section: 'notifications',
      records: rows.map(({ kind, details, createdAt: at, readAt }) => ({
        kind,
        ...describeAlert({ kind, details }),
        at: toInstant(at),
        readAt: toInstantOrNull(readAt),
      })),
    }
  }
  for await (const rows of eachOwnEntry(db, id)) {
    yield {
      section: 'auditEntries',
      records: rows.map(({ id: _id, at, firstAt, ...entry }) => ({
        at: toInstant(at),
        firstAt: toInstant(firstAt ?? at),
        ...entry,
      })),
    }
  }
}

async function* eachOfCompany(deps: Deps, company: Actor): AsyncGenerator<OwnPage> {
  const { db } = deps
  const people = await listPersonRows(db, company.id)
  yield {
    section: 'people',
    records: people.map(({ username, displayName, memberRole, isActive, createdAt }) => ({
      username,
      displayName,
      role: memberRole ?? 'OWNER',
      isActive,
      createdAt: toInstant(createdAt),
    })),
  }
  const webhooks = await listOwnWebhooks(db, company.id)
  yield {
    section: 'webhooks',
    records: webhooks.map(({ url, ...row }) => withInstants({ address: maskAddress(url), ...row })),
  }
  yield {
    section: 'invitations',
    records: (await listOwnInvitations(db, company.id)).map(withInstants),
  }
  yield* eachOfNetwork(deps, company)
  if (company.role === 'SUPPLIER') yield* eachOfConnection(deps, company.id)
  const { files, parts, addresses } = await listOwnMergedFiles(db, company.id)
  yield { section: 'mergedFiles', records: files.map(withInstants) }
  yield { section: 'mergedParts', records: parts }
  yield { section: 'mergedAddresses', records: addresses.map(withInstants) }
  yield* eachSent(db, { mergedOf: company.id })
  for await (const retailers of eachRetailerRow(db, retailerScope(company))) {
    yield { section: 'retailers', records: retailers.map(toRetailer) }
    const ids = retailers.map(({ id }) => id)
    yield {
      section: 'feedAddresses',
      records: (await listOwnFeedAddresses(db, ids)).map(withInstants),
    }
    yield {
      section: 'sftpLogins',
      records: (await listOwnSftpLogins(db, 'retailerId', ids)).map(withInstants),
    }
    yield* eachSent(db, { retailerIds: ids })
    const downloads = await listOwnDownloads(db, ids)
    yield {
      section: 'downloads',
      records: downloads.flatMap(({ retailerId, newestDownloads }) =>
        newestDownloads.map(({ id: _id, ...download }) =>
          withInstants({ retailerId, ...download }),
        ),
      ),
    }
  }
}

async function* eachSent(db: Db, of: OwnFiles): AsyncGenerator<OwnPage> {
  const destinations = await listOwnDestinations(db, of)
  yield {
    section: 'destinations',
    records: destinations.map(({ config, ...row }) =>
      withInstants({ ...row, ...(config.url && { url: maskAddress(config.url) }) }),
    ),
  }
  yield { section: 'dispatches', records: (await listOwnDispatches(db, of)).map(withInstants) }
}

async function* eachOfConnection({ db }: Deps, supplierId: number): AsyncGenerator<OwnPage> {
  const connection = await findSupplierConnection(db, supplierId)
  if (!connection) return
  yield one('connection', toConnection(connection))
  const logins = await listOwnSftpLogins(db, 'connectionId', [connection.id])
  yield { section: 'sftpLogins', records: logins.map(withInstants) }
  const inbox = await findOwnMailInbox(db, connection.id)
  if (inbox) yield one('mailInbox', withInstants(inbox))
  const mails = await listOwnMails(db, connection.id)
  yield { section: 'mails', records: mails.map(withInstants) }
  const history = await findOwnItemHistory(db, connection.id)
  if (history) yield one('itemHistory', withInstants(history))
  for await (const rows of eachOwnVersion(db, connection.id)) {
    yield { section: 'files', records: rows.map(withInstants) }
  }
}

/** How a company and others find one another. Whom a retailer has asked is not named: its card may be gone. */
async function* eachOfNetwork({ db }: Deps, { id, role }: Actor): AsyncGenerator<OwnPage> {
  if (role === 'SUPPLIER') {
    yield { section: 'groups', records: (await listOwnGroups(db, id)).map(withInstants) }
    yield { section: 'card', records: (await listOwnCard(db, id)).map(withInstants) }
  }
  const requests = await listOwnRequests(
    db,
    role === 'SUPPLIER' ? { supplierId: id } : { userId: id },
  )
  yield { section: 'requests', records: requests.map(withInstants) }
}

const one = (section: string, record: OwnRecord): OwnPage => ({ section, records: [record] })

/** Addresses are masked, and what gives access is left out. */
function toConnection(row: ConnectionRow): OwnRecord {
  const { id, name, type, fileFormat, syncFrequencyMinutes, isActive, config, overlay } = row
  const { reading, updates, columnPolicy, guard, categoryReading, createdAt } = row
  return {
    id,
    name,
    type,
    address: maskAddress(config.url),
    access: config.auth?.type ?? null,
    overlayAddress: overlay && maskAddress(overlay.url),
    fileFormat,
    syncFrequency: syncFrequencyMinutes,
    isActive,
    reading,
    categoryReading,
    updates,
    columnPolicy,
    guard,
    createdAt: toInstant(createdAt),
  }
}

const toRetailer = (row: RetailerRecord): OwnRecord => ({
  id: row.id,
  username: row.username,
  supplier: row.supplierName,
  storeName: row.storeName,
  storeUrl: row.storeUrl,
  connectionType: row.connectionType,
  fileFormat: row.fileFormat,
  syncFrequency: row.syncFrequencyMinutes,
  visibilitySettings: readVisibility(row),
  profile: row.profile,
  createdAt: toInstant(row.createdAt),
})

const IS_TIME = /(At|AsOf)$/

/** Times in words; all other values as they are. */
const withInstants = (row: OwnRecord): OwnRecord =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      IS_TIME.test(name) && typeof value === 'number' ? toInstant(value) : value,
    ]),
  )

import type { ReadRefusal } from '../../../../shared/address-protection'
import { MINUTE_MS } from '../../../../shared/durations'
import type { Owned } from '../../../db/queries-kit/owned'
import { rememberReads, type Reading } from '../../../db/queries-kit/remember'
import { readClientFamily } from '../../../domain/client-family'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { toPlainAddress } from '../../../domain/networks'
import { hashSecretToken } from '../../../domain/secret-token'
import type { AskedForm } from '../../../domain/variant-spec'
import type { ReadableFile } from '../../catalogue/versions/connection-files'
import {
  judgeReader,
  type AddressProtection,
  type AddressReader,
} from '../feed-addresses/judge-reader'
import { findRetailerOfFeed, type RetailerRecord } from '../retailers/retailers.queries'
import { findOrRequestDelta, toFeedVersion } from './delta-file'
import { findAndRecordLatestFile } from './latest-file'
import { notReady, recordPulls } from './retailer-files'

/** What a shop asks for. */
export type FeedRequest = {
  asked: AskedForm
  /** The version since which rows are to have changed; null for the whole file. */
  since: string | null
  reader: AddressReader
}

/** Reads as the retailer itself. */
const SHOP = { role: 'RETAILER' } as const
export const WHOLE = { asked: 'own', since: null } as const

/** The file of a shop, as its feed address answers with it. */
export type FeedFile = ReadableFile & {
  /** The address that was read, and what protects it. */
  addressId: number
  protection: AddressProtection
  /** Names what the file is and the settings it was written with; otherwise without a meaning to readers. */
  version: string
  rowCount: number
  /** Whether these are the rows that differ, and not the whole file. */
  isDelta: boolean
  /** Since when the retailer's file has been this one. */
  modifiedAt: number
}

/** A read that is not answered with the file. */
export type RefusedRead = { refusal: ReadRefusal; addressId: number }
export type OpenedRead = FeedFile | RefusedRead

/** Opens what is read at addresses that are not a retailer's. @throws DomainError NOT_FOUND */
export type OpenOther = (
  deps: Deps,
  tokenHash: string,
  request: FeedRequest,
) => Promise<Reading<OpenedRead>>

/**
 * Opens the file that a shop reads from its feed address: that of its retailer, as if the retailer
 * itself had asked for it.
 * @returns why this reader is refused, before anything else is looked at
 * @throws DomainError NOT_FOUND for an address that is unknown, has been replaced or revoked, and as
 *   long as there is no file; UNAVAILABLE while the file is being built
 */
export async function openFeedFile(
  deps: Deps,
  tokenHash: string,
  { asked, since, reader }: FeedRequest,
  openOther: OpenOther,
): Promise<Reading<OpenedRead>> {
  const now = deps.clock.now()
  const found = await findRetailerOfFeed(deps.db, tokenHash, now)
  if (!found) return openOther(deps, tokenHash, { asked, since, reader })
  const { addressId, addressEndsAt, passwordHash, networks, validUntil, ...retailer } = found
  const protection = { passwordHash, networks, validUntil }
  const refusal = judgeReader(protection, reader, now)
  if (refusal) return { value: { refusal, addressId }, topics: undefined }
  const opened = await openShopFile(deps, retailer, { asked, since, addressId })
  const value: FeedFile = { addressId, protection, ...opened.value }
  const until = Math.min(opened.until, addressEndsAt ?? Infinity)
  return { value, topics: [...opened.topics, `address ${addressId}`], until }
}

/** The file of a shop, whichever way it is read. */
type ShopFile = Omit<FeedFile, 'addressId' | 'protection'>

/**
 * Opens the file of a retailer as its shop reads it, with whatever has let the shop in.
 * @throws DomainError NOT_FOUND as long as there is no file; UNAVAILABLE while it is being built
 */
export async function openShopFile(
  deps: Deps,
  retailer: Owned<RetailerRecord>,
  { asked, since, addressId }: Omit<FeedRequest, 'reader'> & { addressId: number | null },
): Promise<{ value: ShopFile; topics: string[]; until: number }> {
  const file = await findAndRecordLatestFile(deps, SHOP, retailer, asked)
  if (!file) throw new DomainError('NOT_FOUND', 'No file is available yet')
  if (file.status !== 'ready') throw notReady(file)
  const { version, view, dataAsOf, form } = file
  const content =
    since === null
      ? file
      : await findOrRequestDelta(deps, { retailerId: retailer.id, version, view, file, since })
  const { sha256, sizeBytes, rowCount } = content
  const value: ShopFile = {
    title: retailer.supplierName ?? '',
    dataAsOf,
    sha256,
    sizeBytes,
    rowCount,
    // It has one column more than the whole file.
    isDelta: sha256 !== file.sha256,
    form,
    version: toFeedVersion(deps, retailer.id, { sha256: file.sha256, view }),
    modifiedAt: file.modifiedAt,
    onRead: recordPulls(deps, { retailer, version, content, dataAsOf, addressId }),
  }
  const deltaEndsAt = since === null ? Infinity : deps.clock.now() + DELTA_MS
  return { value, topics: file.topics, until: Math.min(file.until, deltaEndsAt) }
}

/** In a hundred megabytes, with the heads of their answers. */
export const REMEMBERED_FEEDS = 20_000
/** A delta is of two versions, and a failed one is tried again. */
const DELTA_MS = MINUTE_MS

export type FeedFiles = {
  /** @throws DomainError as `openFeedFile` */
  open(token: string, request: FeedRequest): Promise<OpenedRead>
  /** The whole file in a form, if it can be told at once, and the reader is not refused. */
  recall(token: string, asked: AskedForm, readReader: () => AddressReader): FeedFile | undefined
}

/** Opens the files of shops, and remembers them: shops ask again and again, each reader with what it has. */
export function createFeedFiles(deps: Deps, openOther: OpenOther): FeedFiles {
  const remembered = rememberReads<OpenedRead>(deps, { max: REMEMBERED_FEEDS })
  const toKey = (tokenHash: string, { asked, since }: Omit<FeedRequest, 'reader'>) =>
    `${tokenHash} ${asked} ${since ?? ''}`
  const findRefusal = ({ protection }: FeedFile, reader: AddressReader) =>
    judgeReader(protection, reader, deps.clock.now())

  function judge(opened: OpenedRead, reader: AddressReader): OpenedRead {
    if ('refusal' in opened) return opened
    const refusal = findRefusal(opened, reader)
    return refusal ? { refusal, addressId: opened.addressId } : opened
  }

  return {
    async open(token, request) {
      const tokenHash = hashSecretToken(token)
      const read = () => openFeedFile(deps, tokenHash, request, openOther)
      const { reader } = request
      const opened = judge(await remembered.get(toKey(tokenHash, request), read), reader)
      if ('refusal' in opened) recordRefusal(deps, opened, reader)
      return opened
    },
    recall(token, asked, readReader) {
      const file = remembered.recall(toKey(hashSecretToken(token), { ...WHOLE, asked }))
      if (!file || 'refusal' in file) return undefined
      return isOpen(file.protection) || !findRefusal(file, readReader()) ? file : undefined
    },
  }
}

const isOpen = ({ passwordHash, networks, validUntil }: AddressProtection) =>
  passwordHash === null && networks.length === 0 && validUntil === null

function recordRefusal(
  { pulls, clock }: Deps,
  { addressId: id, refusal }: RefusedRead,
  { address, userAgent }: AddressReader,
): void {
  pulls.refuse({
    id,
    refusal,
    refusedAt: clock.now(),
    refusedClient: readClientFamily(userAgent),
    refusedFrom: toPlainAddress(address),
  })
}

import type { SourceProtocol } from '../../../shared/source-schemes'
import { FileError } from '../file-error'
import type { FetchFromScheme } from './fetch-context'
import { fetchOverFtp } from './ftp/ftp-fetch'
import { fetchOverHttp } from './http/http-fetch'
import { fetchOverSftp } from './sftp/sftp-fetch'

/** How files are fetched, by the scheme of their address. Those in buckets are fetched from signed web addresses. */
const SCHEMES: Partial<Record<SourceProtocol, FetchFromScheme>> = {
  'http:': fetchOverHttp,
  'https:': fetchOverHttp,
  'sftp:': fetchOverSftp,
  'ftp:': fetchOverFtp,
  'ftps:': fetchOverFtp,
}

/** @throws FileError `bad-address` */
export function findFetch(address: string): FetchFromScheme {
  const protocol = /^[a-z\d]+:/i.exec(address)?.[0].toLowerCase() ?? ''
  const found = Object.hasOwn(SCHEMES, protocol) ? SCHEMES[protocol as SourceProtocol] : undefined
  if (found) return found
  throw new FileError('bad-address', 'Only http:// and https:// addresses can be fetched.')
}

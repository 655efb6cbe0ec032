import { mayContainSecret } from '../../../../shared/masked-address'
import type { WriteTransaction } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import type { StoredConfig } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { sealRows, type Sealing } from '../../../domain/seal-rows'
import { addressPlaceOf, sealAddress } from '../../../secrets/sealed-address'
import { sealAnew, type SecretBox } from '../../../secrets/secret-box'
import { eachConnectionRow, findConnection, updateConnectionRow } from './connections.queries'
import { type SourcePart, sourceAddressOwner } from './source-address'
import { sealContextOf } from './source-config'

/** Encrypts the addresses that may contain a secret and are stored plainly. */
export const sealPlainSources = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachConnectionRow(deps.db, {}),
    isDue: (row) => listConfigs(row).some(isPlain),
    // The credentials stay as they are: their key may be missing.
    seal: (trx, row) =>
      changeConfigs(trx, row, (current) => sealPlainAddress(deps.secrets, current)),
  })

/** Encrypts all secrets of sources with the current key. */
export const resealSources = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachConnectionRow(deps.db, {}),
    isDue: (row) => listSealedOfSource(row).some((sealed) => !deps.secrets.isCurrent(sealed)),
    seal: (trx, row) => changeConfigs(trx, row, (current) => resealConfig(deps.secrets, current)),
  })

type Sources = Pick<ConnectionRow, 'config' | 'overlay'>

/** All that is encrypted of a source and of its overlay. */
export const listSealedOfSource = (row: Sources): string[] =>
  listConfigs(row)
    .flatMap(({ sealedUrl, auth }) => [sealedUrl, auth?.sealed])
    .filter((sealed) => sealed !== undefined)

const listConfigs = ({ config, overlay }: Sources): StoredConfig[] =>
  overlay ? [config, overlay] : [config]

const isPlain = ({ url, sealedUrl }: StoredConfig) =>
  url !== '' && !sealedUrl && mayContainSecret(url)

type Source = { supplierId: number; config: StoredConfig; part: SourcePart }

async function changeConfigs(
  trx: WriteTransaction,
  { id }: ConnectionRow,
  seal: (source: Source) => StoredConfig,
): Promise<void> {
  const row = await findConnection(trx, id, {})
  if (!row) return
  const { supplierId, config, overlay } = row
  await updateConnectionRow(trx, row, {
    config: seal({ supplierId, config, part: 'source' }),
    ...(overlay && {
      overlay: { ...overlay, ...seal({ supplierId, config: overlay, part: 'overlay' }) },
    }),
  })
}

function sealPlainAddress(secrets: SecretBox, { supplierId, config, part }: Source): StoredConfig {
  if (!isPlain(config)) return config
  return { ...config, ...sealAddress(secrets, config.url, sourceAddressOwner(supplierId, part)) }
}

function resealConfig(secrets: SecretBox, { supplierId, config, part }: Source): StoredConfig {
  const { url, sealedUrl, auth } = config
  const places = {
    address: addressPlaceOf(sourceAddressOwner(supplierId, part), url),
    credentials: sealContextOf(supplierId, url, part),
  }
  return {
    url,
    ...(sealedUrl && { sealedUrl: sealAnew(secrets, sealedUrl, places.address) }),
    ...(auth && { auth: { ...auth, sealed: sealAnew(secrets, auth.sealed, places.credentials) } }),
  }
}

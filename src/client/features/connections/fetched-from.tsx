import { findFileUrl } from '../../../shared/share-link'
import { Breakable } from '../../components/layout/breakable'

import classes from './fetched-from.module.css'

/** Below the field of an address: where the file of a link is that people share; nothing for other addresses. */
export function FetchedFrom({ address }: { address: string }) {
  const fileUrl = findFileUrl(address.trim())
  if (fileUrl === undefined) return undefined
  return (
    <span className={classes.note}>
      Fetched from{' '}
      <span className={classes.address} dir="ltr">
        <Breakable address={fileUrl} />
      </span>
    </span>
  )
}

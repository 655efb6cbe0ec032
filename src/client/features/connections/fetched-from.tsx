import { findFileUrl } from '../../../shared/share-link'
import { Breakable } from '../../components/layout/breakable'

import classes from './fetched-from.module.css'

interface FetchedFromProps {
  address: string
  className?: string | undefined
}

/** Where the file of a link is that people share; nothing for other addresses. */
export function FetchedFrom({ address, className = classes.note }: FetchedFromProps) {
  const fileUrl = findFileUrl(address.trim())
  if (fileUrl === undefined) return undefined
  return (
    <span className={`${classes.line} ${className}`}>
      Fetched from{' '}
      <span className={classes.address} dir="ltr">
        <Breakable address={fileUrl} />
      </span>
    </span>
  )
}

import { Fragment } from 'react'

/** An address that breaks after its separators, rather than within a word. */
export function Breakable({ address }: { address: string }) {
  return address.split(AFTER_SEPARATOR).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts have no identity
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

/** A separator, or several such as `://`, is not divided. */
const AFTER_SEPARATOR = /(?<=[/@.?&=_-])(?![/@.?&=_-])/

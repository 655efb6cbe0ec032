import { Truncated } from './truncated'

interface SourcePlaceProps {
  /** The address; empty where files are only sent. */
  url: string
  tone?: 'note'
}

/** Where a connection's file comes from, on one line. */
export function SourcePlace({ url, tone }: SourcePlaceProps) {
  return url === '' ? (
    <Truncated text="Files are sent by hand" {...(tone && { tone })} />
  ) : (
    <Truncated text={url} dir="ltr" {...(tone && { tone })} />
  )
}

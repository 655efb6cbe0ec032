import { Fragment } from 'react'

/** Longer cells than this are not searched further. */
const MAX_MARKS = 20

/** A text in which another one is marked wherever it occurs, in any case. */
export function MarkedText({ text, mark }: { text: string; mark: string }) {
  const pieces = splitAtHits(text, mark)
  return pieces.map(({ text: piece, isHit }, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- pieces are identified by their position only
    <Fragment key={place}>{isHit ? <mark>{piece}</mark> : piece}</Fragment>
  ))
}

function splitAtHits(text: string, mark: string): { text: string; isHit: boolean }[] {
  const [whole, wanted] = [text.toLowerCase(), mark.toLowerCase()]
  // Letters whose lower case is longer move the places of all that follow.
  if (wanted === '' || whole.length !== text.length) return [{ text, isHit: false }]
  const pieces: { text: string; isHit: boolean }[] = []
  let start = 0
  for (let hit = whole.indexOf(wanted); hit >= 0; hit = whole.indexOf(wanted, start)) {
    if (pieces.length >= 2 * MAX_MARKS) break
    const end = hit + wanted.length
    pieces.push({ text: text.slice(start, hit), isHit: false })
    pieces.push({ text: text.slice(hit, end), isHit: true })
    start = end
  }
  pieces.push({ text: text.slice(start), isHit: false })
  return pieces.filter((piece) => piece.text !== '')
}
